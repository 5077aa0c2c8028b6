#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {

// An entry of docs/glossary.md, which is compiled into the program.
struct GlossaryEntry {
  std::string section;             // its heading: "Faults"
  std::vector<std::string> words;  // all that the entry explains: "not-run", "not run"
  std::string text;                // one paragraph of Markdown, in one line
};

// Reads entries: paragraphs that begin with bold words, a colon after them, below headings of level 2.
std::vector<GlossaryEntry> parse_glossary(std::string_view text);

// Returns the entries of this program, in the order of the page.
std::span<const GlossaryEntry> glossary();

}  // namespace certile::conformance
