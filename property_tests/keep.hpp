#pragma once
#include <cstdint>
#include <string>

#include "reference/values/result.hpp"

namespace certile::property_tests {

// Returns the path of conformance/plan/corpora/regressions.tile in the source tree that contains the working
// directory; empty if there is no such tree.
std::string corpus_of_source_tree();

// Checks that a counterexample can be kept in this corpus: it exists, is a corpus, and can be written.
Result<Done> check_corpus(const std::string& path);

// Appends the literal as a line of the corpus, with words about its origin.  Returns false if the corpus has
// the case already.  Errors: io, bad_literal (the file is no corpus).
Result<bool> keep_in_corpus(const std::string& path, const std::string& literal, const std::string& words);

}  // namespace certile::property_tests
