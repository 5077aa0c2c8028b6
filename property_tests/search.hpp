#pragma once
#include <cstdint>
#include <optional>

#include "property_tests/examiner.hpp"
#include "property_tests/specimen.hpp"

namespace certile {

struct SearchOptions {
  std::uint64_t seed = 1;
  int cases = 100;
  int max_size = 100;
};

struct Counterexample {
  Case question;            // the simplest that was found
  Examination examination;  // of it
  int after = 0;            // cases for which the property held
  int shrinks = 0;          // steps by which it became simpler
  bool alone = true;        // false: only after other cases, hence not made simpler
};

struct SearchResult {
  int cases = 0;
  int silent = 0;  // of them, those about which the property says nothing
  std::optional<Counterexample> counterexample;
};

// Looks for a case for which the property does not hold, and makes it as simple as it gets.  The same seed
// gives the same cases.  Errors: as examine().
Result<SearchResult> search(const Property& property, const Specimens& specimens, Examiner& examiner,
                            const SearchOptions& options);

}  // namespace certile
