#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"

namespace certile {

// One sentence about a run that was held against what can be recomputed without its backend.
struct Check {
  std::string_view subject;  // "plan"
  bool holds = true;
  std::string sentence;  // what holds; or what does not, with the first place
};

// The checks of one run of a file.
struct Verification {
  std::string run;  // the backend's name and version
  std::vector<Check> checks;
  bool holds() const noexcept;
};

// Recomputes, for each run of a file of records, its digest and counts, its plan, what the oracles expect of
// each case, which clauses the case exercises, and the verdict line.  What the backend answered is taken as
// it is written: that is for a signature to vouch for.  Errors: as read_records, but for footers.
Result<std::vector<Verification>> verify_records(const std::string& path);

}  // namespace certile
