#include "conformance/text/printable.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace certile::conformance {

namespace {

struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

// Returns the UTF-8 character that `text` begins with: only the shortest form, and no surrogates.
Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xffU >> (length + 1));
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(at) & 0x3f);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[length] || code > 0x10ffff || is_surrogate) return {};
  return {length, code, true};
}

// Returns true for characters that control a terminal, deceive a reader (invisible and direction-changing
// ones), or are forbidden in XML.
bool is_harmful(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0xad ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code & 0xfffe) == 0xfffe ||
         (code >= 0xe0000 && code <= 0xe007f);
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char character : bytes) {
    const auto value = static_cast<unsigned char>(character);
    out += "\\x";
    out += digits[value >> 4];
    out += digits[value & 0xf];
  }
}

// Returns true for spaces of Unicode that are not harmful otherwise.
bool is_space(std::uint32_t code) {
  return code == ' ' || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

// Returns true for text that CI systems obey anywhere in a line: ##[…, ##vso[…, ##teamcity[….
bool begins_a_command(std::string_view text) {
  if (!text.starts_with("##")) return false;
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
  };
  std::size_t at = 2;
  while (at < text.size() && is_letter(text[at]))
    ++at;
  return at < text.size() && text[at] == '[';
}

// Returns the size of the escape at `at` that printable text or a literal may contain: \xNN, \uNNNN,
// .
std::size_t size_of_escape(std::string_view text, std::size_t at) {
  if (text[at] != '\\' || at + 1 >= text.size()) return 1;
  return text[at + 1] == 'x' ? 4 : text[at + 1] == 'u' ? 6 : 2;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool is_leading = true;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    // ::error:: at the beginning of a line is a command to some CI systems, and this text may begin a line.
    const bool is_command = (is_leading && character.code == ':') || begins_a_command(text);
    is_leading = is_leading && is_space(character.code);
    if (character.valid && !is_harmful(character.code) && !is_command) {
      out += bytes;
    } else {
      append_escaped(out, bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string with_lines_indented(std::string text) {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    text.insert(at + 1, "  ");
  return text;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    if (character.valid)
      out += bytes;
    else
      append_escaped(out, bytes);
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (start > 0) out += '\n';
    out += printable(text.substr(start, end - start));
    start = end + 1;
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  constexpr std::size_t longest_escape = 6;
  for (std::size_t at = end - std::min(end, longest_escape); at < end; ++at) {
    const std::size_t size = size_of_escape(text, at);
    if (at + size > end) end = at;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string shortened_around(std::string_view text, std::size_t place, std::size_t limit) {
  const std::size_t before = limit / 2;
  if (text.size() <= limit || place <= before) return shortened(text, limit);
  // Whole characters and escapes are left out.
  std::size_t start = 0;
  while (start < std::min(place, text.size()) - before)
    start += std::max<std::size_t>(size_of_escape(text, start), 1);
  while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80)
    ++start;
  return "…" + shortened(text.substr(start), limit);
}

std::string printable_name(std::string_view text) {
  const auto is_plain = [](unsigned char each) {
    return std::isalnum(each) != 0 ||
           std::string_view("._+- ").find(static_cast<char>(each)) != std::string_view::npos;
  };
  const bool is_name = std::ranges::all_of(text, is_plain) && text.find("  ") == std::string_view::npos &&
                       !text.starts_with(' ') && !text.ends_with(' ');
  std::string shown = shortened(printable(text), 80);
  if (is_name) return shown;
  std::ranges::replace(shown, '"', '\'');
  std::string quoted(1, '"');
  quoted += shown;
  quoted += '"';
  return quoted;
}

namespace {

// Returns true for characters that make bare words a link: the colon of http://, the first point of www.
bool begins_a_link(std::string_view text, std::size_t at) {
  if (text[at] == ':') return text.substr(at).starts_with("://");
  constexpr std::size_t length = 3;
  if (text[at] != '.' || at < length) return false;
  return std::ranges::all_of(text.substr(at - length, length),
                             [](char each) { return (each | 0x20) == 'w'; });
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string out;
  const std::string shown = printable(text);
  const std::string_view rest(shown);
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const char character = shown[at];
    // Every Markdown reader shows entities as text, in cells of tables as well.
    const bool is_markup = std::string_view("&<>|`*_[]\\~#@$").find(character) != std::string_view::npos;
    if (is_markup || begins_a_link(rest, at)) {
      out += "&#" + std::to_string(static_cast<int>(character)) + ";";
    } else {
      out += character;
    }
  }
  return out;
}

std::string markdown_block(std::string_view text) {
  std::string content = printable_lines(text);
  if (content.ends_with('\n')) content.pop_back();
  std::size_t longest = 0, current = 0;
  for (const char character : content) {
    current = character == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "text\n" + content + "\n" + fence + "\n";
}

void escape_commands(std::string& json) {
  for (std::size_t at = json.find("##"); at != json.npos; at = json.find("##", at + 1))
    if (begins_a_command(std::string_view(json).substr(at))) json.replace(at, 1, R"(\u0023)");
}

std::string with_thousands(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first_digit = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first_digit + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string counted(std::int64_t number, std::string_view thing) {
  return with_thousands(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string listed(const std::vector<std::string>& words, std::size_t limit) {
  if (words.size() <= limit) return joined(words, ", ");
  const std::vector<std::string> first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(limit));
  return joined(first, ", ") + " and " + std::to_string(words.size() - limit) + " more";
}

std::string with_caret(const std::string& sentence, std::string_view text) {
  constexpr std::string_view word = "column ", margin = "  ";
  constexpr std::size_t most_on_each_side = 60;
  if (!sentence.starts_with(word)) return sentence;
  std::size_t column = 0;
  std::from_chars(sentence.data() + word.size(), sentence.data() + sentence.size(), column);
  if (column == 0) return sentence;
  // The column counts bytes, and what is printed may have more or fewer characters.
  const std::size_t at = std::min(column - 1, text.size());
  const std::string before = printable(text.substr(0, at)), after = printable(text.substr(at));
  const std::string start = shortened_around(before, before.size(), most_on_each_side);
  const auto characters = std::ranges::count_if(
      start, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; });
  return sentence + "\n" + std::string(margin) + start + shortened(after, most_on_each_side) + "\n" +
         std::string(margin) + std::string(static_cast<std::size_t>(characters), ' ') + "^";
}

}  // namespace certile::conformance
