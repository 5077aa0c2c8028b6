#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/run/run_plan.hpp"

namespace certile {

// `certile run BACKEND LITERAL…`: the cases in this order on one instance, each fully explained on `out`.
// Returns the exit code: 0 when none failed, 1 when one did, 5 when none could be judged.
int run_command(const std::string& backend, const std::vector<std::string>& literals,
                const RunOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile
