#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Explains an id or a word of any report, for a person: a clause by its id or name, a definition, an element
// type, a law, or an entry of the glossary; all of them if the word has several meanings.  Letters may be
// large or small.  Error: bad_literal, with a suggestion, if nothing has that name.
Result<std::string> explanation_of(std::string_view word, std::size_t width);

// Returns every word that can be asked, by subject, for a person.
std::string all_explained_words(std::size_t width);

}  // namespace certile::conformance
