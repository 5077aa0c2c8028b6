#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// Runs `certile run BACKEND LITERAL…`: asks one instance the cases in order, and explains each on `out`.
// Returns the exit code: 0 if none failed, 1 if any failed, 5 if none could be judged.
int run_command(const std::string& backend, const std::vector<std::string>& literals,
                const RunOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
