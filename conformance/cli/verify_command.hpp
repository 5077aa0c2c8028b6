#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
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

// The options of `certile verify PATH`.
struct VerifyOptions {
  std::string path, key, binary;      // of files
  std::string backend;                // that is asked again; empty: none is
  std::optional<std::uint64_t> seed;  // of the cases that are asked again
};

// Recomputes a file of records, or checks a signed statement or a bundle.  Prints each check, whether it
// holds or not.  Returns 0 if all hold, 1 if any does not, and 2 if the path cannot be read or is nothing
// that certile wrote.
int verify_command(const VerifyOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
