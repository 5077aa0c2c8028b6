#include "conformance/explain/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "conformance/explain/glossary.hpp"
#include "conformance/laws/laws.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"
#include "conformance/text/suggestion.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/element_type.hpp"

namespace certile::conformance {

namespace {

// Returns the number of characters, not of bytes: all bytes of UTF-8 but the continuations.
std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  std::istringstream lines{std::string(text)};
  for (std::string given; std::getline(lines, given);) {
    const bool is_whole = given.starts_with(' ') || given.starts_with("* ");
    if (given.empty() || is_whole) end_line();
    if (given.empty()) out += '\n';
    if (given.starts_with(' ')) {
      out += margin + given + "\n";
      continue;
    }
    std::istringstream words(given);
    for (std::string word; words >> word;) {
      if (!line.empty() && indent + characters_in(line) + 1 + characters_in(word) > width) end_line();
      line += (line.empty() ? "" : " ") + word;
    }
  }
  end_line();
  return out;
}

std::string debugger_line(const std::string& spelling, std::span<const std::string> literals,
                          bool has_crashed) {
  std::string line = "gdb -ex 'set follow-fork-mode child'";
  if (!has_crashed) line += " -ex 'set breakpoint pending on' -ex 'break certile_plugin_open'";
  line += " -ex run --args certile run " + quoted_for_shell(spelling);
  for (const std::string& literal : literals)
    line += " " + quoted_for_shell(literal);
  // A person takes longer than the usual limit.
  return line + " --time-limit 1000";
}

namespace {

// Returns the word without the signs that reports put around it, in small letters.
std::string plain_word(std::string_view word) {
  constexpr std::string_view around = " '\"`[]:;,.";
  const std::size_t first = word.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  std::string plain(word.substr(first, word.find_last_not_of(around) + 1 - first));
  std::ranges::transform(plain, plain.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return plain;
}

const GlossaryEntry* entry_in(std::string_view section, std::string_view word) {
  for (const GlossaryEntry& entry : glossary())
    if (entry.section == section && std::ranges::find(entry.words, word) != entry.words.end()) return &entry;
  return nullptr;
}

std::string labelled(std::string_view label, std::string_view text, std::size_t width) {
  constexpr std::size_t column = 12;
  std::string lines = wrapped(text, column, width);
  lines.replace(2, label.size(), label);
  return lines;
}

std::string explain(const Page& page, const Clause& clause, std::size_t width) {
  std::string text = fmt::format("{} {}\n", clause.id, clause.name);
  const GlossaryEntry* kind = entry_in("Kinds of a clause", name(clause.kind));
  text +=
      labelled("kind", fmt::format("{}: {}", name(clause.kind), kind == nullptr ? "" : kind->text), width);
  text += labelled("page", fmt::format("reference/spec/{}.md", page.name), width);
  text += labelled("source", clause.source, width);
  if (!clause.testable) text += labelled("testable", "no: " + clause.untestable_because, width);
  text += "\n" + wrapped(clause.text, 2, width);
  if (clause.examples.empty()) return text;
  text += "\n  examples, for certile run BACKEND 'LITERAL':\n";
  for (const std::string& example : clause.examples)
    text += "    " + example + "\n";
  return text;
}

std::string explain(const Page& page, std::size_t width) {
  std::string text = fmt::format("{}   {}\n", page.name, counted(std::ssize(page.clauses), "clause"));
  for (const PublishedText& source : page.texts)
    text += labelled("text", fmt::format("{}, {}, {}", source.title, source.version, source.address), width);
  text += '\n';
  for (const Clause& clause : page.clauses)
    text += fmt::format("  {:<12} {:<28} {}\n", clause.id, clause.name, name(clause.kind));
  return text;
}

std::string explain(ElementType type) {
  const std::string_view family = type == ElementType::string    ? "strings of any length"
                                  : type == ElementType::boolean ? "booleans"
                                  : is_signed_integer(type)      ? "signed integers"
                                  : is_unsigned_integer(type)    ? "unsigned integers"
                                  : is_real(type)                ? "real numbers"
                                                                 : "complex numbers";
  std::string text = fmt::format("{}   an element type\n  {}", name(type), family);
  if (type != ElementType::string)
    text += fmt::format(", {} {} each{}", bits(type), bits(type) == 1 ? "bit" : "bits",
                        is_packed(type) ? ", packed without gaps" : "");
  return text + "\n";
}

// A word that can be asked, and its explanations.
struct Explained {
  std::vector<std::string> words;
  std::string_view subject;
  std::string text;
};

std::vector<Explained> everything(std::size_t width) {
  std::vector<Explained> all;
  for (const GlossaryEntry& entry : glossary())
    all.push_back({entry.words, entry.section,
                   fmt::format("{}   ({})\n{}", fmt::join(entry.words, ", "), entry.section,
                               wrapped(entry.text, 2, width))});
  for (const Page& page : all_pages()) {
    all.push_back({{page.name}, "Pages of clauses", explain(page, width)});
    for (const Clause& clause : page.clauses)
      all.push_back({{clause.id, clause.name}, "Clauses", explain(page, clause, width)});
  }
  for (const ElementType type : all_element_types())
    all.push_back({{std::string(name(type))}, "Element types", explain(type)});
  for (const Law& law : all_laws())
    all.push_back({{std::string(law.name)},
                   "Laws",
                   fmt::format("{}   a law\n{}", law.name, wrapped(law.sentence, 2, width))});
  return all;
}

}  // namespace

Result<std::string> explanation_of(std::string_view word, std::size_t width) {
  const std::string asked = plain_word(word);
  std::vector<std::string> plain, spelled;
  std::string text;
  for (const Explained& each : everything(width)) {
    bool is_asked = false;
    for (const std::string& name : each.words) {
      plain.push_back(plain_word(name));
      spelled.push_back(name);
      is_asked = is_asked || plain.back() == asked;
    }
    if (is_asked) text += (text.empty() ? "" : "\n") + each.text;
  }
  if (!text.empty()) return text;
  // "@guard=after" as a literal has it
  if (const std::size_t value = word.find('='); value != std::string_view::npos)
    if (auto explained = explanation_of(word.substr(0, value), width)) return explained;
  const auto meant = std::ranges::find(plain, closest(asked, plain)) - plain.begin();
  const std::string closest_one =
      meant == std::ssize(plain) ? "; " : "; did you mean " + spelled[static_cast<std::size_t>(meant)] + "? ";
  return Error{Error::Code::bad_literal, "there is nothing to explain '" + printable(word) + "'" +
                                             closest_one +
                                             "certile explain lists every word that can be asked"};
}

std::string all_explained_words(std::size_t width) {
  std::string text, words;
  std::string_view subject;
  const auto end_subject = [&] {
    if (!words.empty()) text += fmt::format("{}\n{}", subject, wrapped(words, 2, width));
    words.clear();
  };
  std::vector<Explained> all = everything(width);
  std::ranges::stable_sort(all, {}, [](const Explained& each) { return each.subject == "Clauses"; });
  for (const Explained& each : all) {
    if (each.subject != subject) end_subject();
    subject = each.subject;
    words += (words.empty() ? "" : ",\n") + each.words.front();
  }
  end_subject();
  return text;
}

}  // namespace certile::conformance
