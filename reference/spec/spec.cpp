#include "reference/spec/spec.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "reference/values/embedded.hpp"

namespace certile {

std::span<const EmbeddedFile> embedded_spec_pages();

namespace {

constexpr std::array<std::string_view, 6> kind_names = {"normative", "example",   "informative",
                                                        "ours",      "exclusion", "contract"};

bool is_small(char character) {
  return character >= 'a' && character <= 'z';
}
bool is_capital(char character) {
  return character >= 'A' && character <= 'Z';
}
bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

// Parts of capital letters and digits between dashes, at least two; a small letter may follow the last:
// OV-T1-R1e.
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

// A page, line by line.
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

  Result<SpecPage> read() {
    if (auto read = head(); !read) return read.error();
    while (!lines_.at_end()) {
      if (auto read = clause(); !read) return read.error();
      skip_prose();
    }
    if (page_.requirements.empty()) return fail("there is no clause on this page");
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

  // What stands before the first clause: the texts that the page quotes, and words for readers.
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
    Requirement clause;
    if (auto read = heading(clause); !read) return read;
    if (auto read = kind(clause); !read) return read;
    if (auto read = testable(clause); !read) return read;
    if (auto read = source(clause); !read) return read;
    body(clause);
    if (clause.text.empty()) return fail(clause.id + " has no words of ours");
    if (clause.testable && clause.examples.empty())
      return fail(clause.id + " is testable and has no example");
    page_.requirements.push_back(std::move(clause));
    return Done{};
  }

  Result<Done> heading(Requirement& clause) {
    const std::string_view words = lines_.line().substr(3);
    const auto space = words.find(' ');
    if (space == std::string_view::npos) return fail("a clause's heading is its id and its name");
    clause.id = words.substr(0, space);
    clause.name = words.substr(space + 1);
    if (!is_id(clause.id)) return fail("'" + clause.id + "' is not an id");
    if (!is_kebab(clause.name))
      return fail("'" + clause.name + "' is not a name in small letters, digits and dashes");
    for (const Requirement& other : page_.requirements) {
      if (other.id == clause.id) return fail("the id " + clause.id + " is given twice");
      if (other.name == clause.name) return fail("the name " + clause.name + " is given twice");
    }
    lines_.next();
    return Done{};
  }

  // The rest of the current line behind `label`, which it must begin with; the next line is current then.
  std::optional<std::string_view> labelled(std::string_view label) {
    if (lines_.at_end() || !lines_.line().starts_with(label)) return std::nullopt;
    const std::string_view rest = trimmed(lines_.line().substr(label.size()));
    lines_.next();
    return rest;
  }

  Result<Done> kind(Requirement& clause) {
    const Error wrong =
        fail("'kind:' and one of normative, example, informative, ours, exclusion, contract is due here");
    const auto word = labelled("kind:");
    if (!word) return wrong;
    const auto* found = std::find(kind_names.begin(), kind_names.end(), *word);
    if (found == kind_names.end()) return wrong;
    clause.kind = static_cast<Requirement::Kind>(found - kind_names.begin());
    return Done{};
  }

  Result<Done> testable(Requirement& clause) {
    const Error wrong = fail("'testable:' and 'yes' or 'no (reason)' is due here");
    const auto words = labelled("testable:");
    if (!words) return wrong;
    if (*words == "yes") return Done{};
    if (!words->starts_with("no (") || !words->ends_with(")") || words->size() < 6) return wrong;
    clause.testable = false;
    clause.untestable_because = words->substr(4, words->size() - 5);
    return Done{};
  }

  Result<Done> source(Requirement& clause) {
    const Error wrong = fail("'source:' and where the clause comes from is due here");
    const auto words = labelled("source:");
    if (!words || words->empty()) return wrong;
    clause.source = *words;
    while (!lines_.at_end() && !trimmed(lines_.line()).empty()) {
      clause.source.append(" ").append(trimmed(lines_.line()));
      lines_.next();
    }
    return Done{};
  }

  void body(Requirement& clause) {
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

  SpecPage page_;
  Lines lines_;
};

std::vector<SpecPage> read_embedded_pages() {
  std::vector<SpecPage> pages;
  for (const EmbeddedFile& file : embedded_spec_pages()) {
    auto page = parse_spec_page(file.name.substr(0, file.name.rfind('.')), file.text);
    // The pages are part of the program and tests read them all: a broken one is not the user's to handle.
    if (!page) throw std::logic_error(page.error().what);
    pages.push_back(*std::move(page));
  }
  return pages;
}

const SpecPage& page_named(std::string_view name) {
  const auto pages = spec_pages();
  const auto found =
      std::find_if(pages.begin(), pages.end(), [&](const SpecPage& page) { return page.name == name; });
  if (found == pages.end()) throw std::logic_error("no specification page " + std::string(name));
  return *found;
}

std::unordered_map<std::string_view, const Requirement*> index_by_id() {
  std::unordered_map<std::string_view, const Requirement*> index;
  for (const SpecPage& page : spec_pages())
    for (const Requirement& requirement : page.requirements)
      index.emplace(requirement.id, &requirement);
  return index;
}

}  // namespace

Result<SpecPage> parse_spec_page(std::string_view name, std::string_view text) {
  return PageReader(name, text).read();
}

std::span<const SpecPage> spec_pages() {
  static const std::vector<SpecPage> pages = read_embedded_pages();
  return pages;
}

const SpecPage& spec_page(Operator op) {
  return page_named(name(op));
}

const SpecPage& contract_page() {
  return page_named("contract");
}

const Requirement* find_requirement(std::string_view id) {
  static const auto index = index_by_id();
  const auto found = index.find(id);
  return found == index.end() ? nullptr : found->second;
}

std::string_view name(Requirement::Kind kind) noexcept {
  return kind_names[static_cast<std::size_t>(kind)];
}

bool counts_at_text(Requirement::Kind kind) noexcept {
  using enum Requirement::Kind;
  return kind == normative || kind == example || kind == contract;
}

}  // namespace certile
