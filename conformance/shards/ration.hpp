#pragma once
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/run/crash_book.hpp"

namespace certile::conformance {

// The choice of the failures that one run of a whole plan would have asked again.  Each shard makes that
// choice for itself, and so asks more of them again; what the shards found of those is dropped.
class Ration {
 public:
  explicit Ration(bool shares_memory);

  // Settles the failures of a chunk of the plan.  Returns those that were changed.
  std::vector<Record*> settle(const std::vector<Record*>& failures);

 private:
  CrashBook book_;
};

}  // namespace certile::conformance
