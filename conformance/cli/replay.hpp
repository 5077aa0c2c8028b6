#pragma once
#include <cstdint>
#include <string>

#include "conformance/records/verification.hpp"
#include "conformance/run/run_plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Asks a backend one in a hundred of the cases in a file of records, or in a bundle, again, which `seed`
// chooses, and compares the judge's verdicts.  The checks: the binary is the one of the records, it claims
// the same, and the verdicts are the same.  Errors: as read_records; bad_literal if there is more than one
// run; io if the backend cannot be started.
Result<std::vector<Check>> replay(const std::string& records, const RunOptions& options, std::uint64_t seed);

}  // namespace certile::conformance
