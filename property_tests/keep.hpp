#pragma once
#include <cstdint>
#include <string>

#include "reference/values/result.hpp"

namespace certile {

// conformance/plan/corpora/regressions.tile of the source tree that the working directory lies in; empty
// where it lies in none.
std::string corpus_of_source_tree();

// Checks that a counterexample could be kept in this corpus: it is there, reads as one, and can be written.
Result<Done> check_corpus(const std::string& path);

// Appends the literal as a line of the corpus, with words that say where it comes from.  False where the
// corpus has the case.  Errors: io, bad_literal (the file is no corpus).
Result<bool> keep_in_corpus(const std::string& path, const std::string& literal, const std::string& words);

}  // namespace certile
