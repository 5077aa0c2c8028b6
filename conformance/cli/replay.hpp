#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/records/record_stream.hpp"
#include "conformance/records/verification.hpp"
#include "conformance/run/run_plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The part of the records of a run that a replay needs.
struct RecordedRun {
  // The verdict on a case, as the judge found it at first: a later finding depends on more than the case.
  struct Recorded {
    std::string literal;
    Verdict verdict;
    Fault fault;
  };
  RunHeader header;
  std::vector<Recorded> cases;
};

// Returns a listener that appends such a run for each header.
RecordListener listener_of(std::vector<RecordedRun>& runs);

// Asks a backend one in a hundred of the cases of the run again, which `seed` chooses, and compares the
// judge's verdicts.  The checks: the binary is the one of the records, it claims the same, and the verdicts
// are the same.  Errors: bad_literal if there is more than one run; io if the backend cannot be started.
Result<std::vector<Check>> replay(const std::vector<RecordedRun>& runs, const RunOptions& options,
                                  std::uint64_t seed);

}  // namespace certile::conformance
