#include "conformance/explain/glossary.hpp"

#include <algorithm>
#include <sstream>

#include "reference/values/embedded.hpp"

namespace certile::conformance {

std::span<const EmbeddedFile> embedded_glossary();

namespace {

constexpr std::string_view bold = "**";

// Takes a bold word from the front of `text`; empty if there is none.
std::string take_word(std::string_view& text) {
  const std::size_t end = text.starts_with(bold) ? text.find(bold, bold.size()) : std::string_view::npos;
  if (end == std::string_view::npos) return {};
  std::string word(text.substr(bold.size(), end - bold.size()));
  text.remove_prefix(end + bold.size());
  return word;
}

// Reads one paragraph as an entry; without words if it is none.
GlossaryEntry entry_of(std::string_view paragraph, const std::string& section) {
  GlossaryEntry entry{section, {}, {}};
  for (std::string word = take_word(paragraph); !word.empty(); word = take_word(paragraph)) {
    entry.words.push_back(std::move(word));
    if (paragraph.starts_with(", ")) paragraph.remove_prefix(2);
  }
  if (!paragraph.starts_with(": ")) entry.words.clear();
  entry.text = paragraph.substr(std::min<std::size_t>(2, paragraph.size()));
  std::erase(entry.text, '*');  // of emphasis, which a terminal does not show
  return entry;
}

}  // namespace

std::vector<GlossaryEntry> parse_glossary(std::string_view text) {
  constexpr std::string_view heading = "## ";
  std::vector<GlossaryEntry> entries;
  std::string section, paragraph;
  const auto end_paragraph = [&] {
    GlossaryEntry entry = entry_of(paragraph, section);
    if (!entry.words.empty()) entries.push_back(std::move(entry));
    paragraph.clear();
  };
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with(heading)) end_paragraph();
    if (line.starts_with(heading))
      section = line.substr(heading.size());
    else
      paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  end_paragraph();
  return entries;
}

std::span<const GlossaryEntry> glossary() {
  static const std::vector<GlossaryEntry> entries = parse_glossary(embedded_glossary().front().text);
  return entries;
}

}  // namespace certile::conformance
