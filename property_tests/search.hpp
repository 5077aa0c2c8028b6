#pragma once
#include <cstdint>
#include <optional>

#include "property_tests/examiner.hpp"
#include "property_tests/specimen.hpp"

namespace certile::property_tests {

struct SearchOptions {
  std::uint64_t seed = 1;
  int cases = 100;
  int max_size = 100;
};

struct Counterexample {
  Case question;            // the simplest one found
  Examination examination;  // of the question
  int after = 0;            // cases for which the property held
  int shrinks = 0;          // steps by which the case became simpler
  bool alone = true;        // false: it fails only after other cases, and hence was not simplified
};

struct SearchResult {
  int cases = 0;
  int silent = 0;  // the cases about which the property says nothing
  std::optional<Counterexample> counterexample;
};

// Searches for a case that breaks the property, and makes it as simple as possible.  The same seed gives the
// same cases.  Errors: as examine().
Result<SearchResult> search(const Property& property, const Specimens& specimens, Examiner& examiner,
                            const SearchOptions& options);

}  // namespace certile::property_tests
