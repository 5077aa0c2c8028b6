#include "reference/spec/page_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace certile {
namespace {

bool is_small(char character) {
  return character >= 'a' && character <= 'z';
}
bool is_capital(char character) {
  return character >= 'A' && character <= 'Z';
}
bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

// Returns true for at least two parts of capital letters and digits, joined by dashes.  A small letter may
// follow the last part: OV-T1-R1e.
bool is_id(std::string_view word) {
  if (!word.empty() && is_small(word.back())) word.remove_suffix(1);
  const bool letters = std::all_of(
      word.begin(), word.end(), [](char each) { return is_capital(each) || is_digit(each) || each == '-'; });
  return letters && word.find('-') != std::string_view::npos && is_capital(word.front()) &&
         word.back() != '-';
}

bool is_kebab(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char each) {
    return is_small(each) || is_digit(each) || each == '-';
  });
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \r\n") - begin + 1);
}

bool is_sha256(std::string_view digits) {
  return digits.size() == 64 && std::all_of(digits.begin(), digits.end(), [](char each) {
           return is_digit(each) || (each >= 'a' && each <= 'f');
         });
}

// A cursor over the lines of a page.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) { next(); }
  bool at_end() const { return at_end_; }
  std::string_view line() const { return line_; }
  int number() const { return number_; }
  void next() {
    at_end_ = rest_.empty();
    const auto length = rest_.find('\n');
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
    ++number_;
  }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
  bool at_end_ = false;
};

class PageReader {
 public:
  PageReader(std::string_view name, std::string_view text) : lines_(text) {
    page_.name = name;
    page_.digest_source = text;
  }

  Result<Page> read() {
    if (auto read = head(); !read) return read.error();
    while (!lines_.at_end()) {
      if (auto read = clause(); !read) return read.error();
      skip_prose();
    }
    if (page_.clauses.empty()) return fail("there is no clause on this page");
    return std::move(page_);
  }

 private:
  Error fail(const std::string& what) const { return fail_at(lines_.number(), what); }

  Error fail_at(int line, const std::string& what) const {
    return {Error::Code::bad_literal, page_.name + ", line " + std::to_string(line) + ": " + what};
  }

  void skip_prose() {
    while (!lines_.at_end() && !lines_.line().starts_with("## "))
      lines_.next();
  }

  // Reads the page up to its first clause: the texts that the page quotes, and words for readers.
  Result<Done> head() {
    while (!lines_.at_end() && !lines_.line().starts_with("## ")) {
      if (!lines_.line().starts_with("text:"))
        lines_.next();
      else if (auto read = text(); !read)
        return read;
    }
    return Done{};
  }

  Result<Done> text() {
    const Error wrong = fail(
        "'text:' is followed by title, address, version, licence, sha256 with its 64 hexadecimal digits, and "
        "sources/FILE, with ', ' between them");
    const int line = lines_.number();
    std::string words(*labelled("text:"));
    for (; !lines_.at_end() && lines_.line().starts_with("  "); lines_.next())
      words.append(" ").append(trimmed(lines_.line()));
    std::array<std::string, 6> parts;
    std::string_view rest = words;
    for (std::string& part : parts) {
      const auto length = rest.find(", ");
      if ((length == std::string_view::npos) != (&part == &parts.back())) return wrong;
      part = rest.substr(0, length);
      if (part.empty()) return wrong;
      if (length != std::string_view::npos) rest.remove_prefix(length + 2);
    }
    auto& [title, address, version, licence, digest, file] = parts;
    constexpr std::string_view label = "sha256 ";
    if (!digest.starts_with(label) || !is_sha256(std::string_view(digest).substr(label.size()))) return wrong;
    if (!file.starts_with("sources/")) return wrong;
    digest.erase(0, label.size());
    for (const PublishedText& other : page_.texts)
      if (other.title == title) return fail_at(line, "the text '" + title + "' is named twice");
    page_.texts.push_back({title, address, version, licence, digest, file});
    return Done{};
  }

  Result<Done> clause() {
    Clause clause;
    if (auto read = heading(clause); !read) return read;
    if (auto read = kind(clause); !read) return read;
    if (auto read = roles(clause); !read) return read;
    if (auto read = testable(clause); !read) return read;
    if (auto read = source(clause); !read) return read;
    body(clause);
    if (clause.text.empty()) return fail(clause.id + " has no words of ours");
    if (clause.testable && clause.examples.empty())
      return fail(clause.id + " is testable and has no example");
    page_.clauses.push_back(std::move(clause));
    return Done{};
  }

  Result<Done> heading(Clause& clause) {
    const std::string_view words = lines_.line().substr(3);
    const auto space = words.find(' ');
    if (space == std::string_view::npos) return fail("a clause's heading is its id and its name");
    clause.id = words.substr(0, space);
    clause.name = words.substr(space + 1);
    if (!is_id(clause.id)) return fail("'" + clause.id + "' is not an id");
    if (!is_kebab(clause.name))
      return fail("'" + clause.name + "' is not a name in small letters, digits and dashes");
    for (const Clause& other : page_.clauses) {
      if (other.id == clause.id) return fail("the id " + clause.id + " is given twice");
      if (other.name == clause.name) return fail("the name " + clause.name + " is given twice");
    }
    lines_.next();
    return Done{};
  }

  // Returns the rest of the current line after `label` and goes to the next line; returns nothing if the line
  // does not begin with `label`.
  std::optional<std::string_view> labelled(std::string_view label) {
    if (lines_.at_end() || !lines_.line().starts_with(label)) return std::nullopt;
    const std::string_view rest = trimmed(lines_.line().substr(label.size()));
    lines_.next();
    return rest;
  }

  Result<Done> kind(Clause& clause) {
    const Error wrong =
        fail("expected 'kind:' and one of normative, example, informative, ours, exclusion, contract");
    const auto word = labelled("kind:");
    if (!word) return wrong;
    if (!read_kind(*word, clause.kind)) return wrong;
    return Done{};
  }

  Result<Done> roles(Clause& clause) {
    const int line = lines_.number();
    const auto words = labelled("role:");
    if (!words) return Done{};
    for (std::string_view rest = *words; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const auto role = role_named(word);
      if (!role) return fail_at(line, "'" + std::string(word) + "' is not a role");
      for (const Clause& other : page_.clauses)
        if (std::find(other.roles.begin(), other.roles.end(), *role) != other.roles.end())
          return fail_at(line, "the role " + std::string(word) + " is that of " + other.id);
      clause.roles.push_back(*role);
    }
    return Done{};
  }

  Result<Done> testable(Clause& clause) {
    const Error wrong = fail("expected 'testable:' and 'yes' or 'no (reason)'");
    const auto words = labelled("testable:");
    if (!words) return wrong;
    if (*words == "yes") return Done{};
    if (!words->starts_with("no (") || !words->ends_with(")") || words->size() < 6) return wrong;
    clause.testable = false;
    clause.untestable_because = words->substr(4, words->size() - 5);
    return Done{};
  }

  Result<Done> source(Clause& clause) {
    const Error wrong = fail("expected 'source:' and the place that the clause comes from");
    const auto words = labelled("source:");
    if (!words || words->empty()) return wrong;
    clause.source = *words;
    while (!lines_.at_end() && !trimmed(lines_.line()).empty()) {
      clause.source.append(" ").append(trimmed(lines_.line()));
      lines_.next();
    }
    return Done{};
  }

  void body(Clause& clause) {
    std::string words;
    for (; !lines_.at_end() && !lines_.line().starts_with("## ") && !lines_.line().starts_with("# ");
         lines_.next()) {
      if (lines_.line().starts_with("    ") && !trimmed(lines_.line()).empty())
        clause.examples.emplace_back(trimmed(lines_.line()));
      else
        words.append(lines_.line()).append("\n");
    }
    clause.text = trimmed(words);
  }

  Page page_;
  Lines lines_;
};

}  // namespace

Result<Page> parse_page(std::string_view name, std::string_view text) {
  return PageReader(name, text).read();
}

}  // namespace certile
