#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the paragraphs of `text` broken between words into lines of at most `width` characters, each after
// `indent` spaces and with its newline.  A line that is indented already, an example, stays whole.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

// Returns the command that starts certile in gdb, follows it into the process that calls the library, and
// stops there: at the signal of a crash, or else where the library is opened.
std::string debugger_line(const std::string& spelling, std::span<const std::string> literals,
                          bool has_crashed);

// Explains an id or a word of any report, for a person: a clause by its id or name, a definition, an element
// type, a law, or an entry of the glossary; all of them if the word has several meanings.  Letters may be
// large or small.  Error: bad_literal, with a suggestion, if nothing has that name.
Result<std::string> explanation_of(std::string_view word, std::size_t width);

// Returns every word that can be asked, by subject, for a person.
std::string all_explained_words(std::size_t width);

}  // namespace certile::conformance
