#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The result of one check of a run.
struct Check {
  std::string_view subject;  // "plan"
  bool holds = true;
  std::string sentence;  // the fact that holds, or the first violation
};

// The checks of one run of a file.
struct Verification {
  std::string run;  // the backend's name and version
  std::vector<Check> checks;
  bool holds() const noexcept;
};

// Recomputes, for each run of a file of records, its digest and counts, its plan, the oracles' expectation of
// each case, the clauses that the case exercises, and the verdict line.  The answers of the backend are not
// checked; only a signature can vouch for them.  Errors: as read_records, except for footers.
Result<std::vector<Verification>> verify_records(const std::string& path);

}  // namespace certile::conformance
