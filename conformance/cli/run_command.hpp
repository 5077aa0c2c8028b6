#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// The options of `certile run BACKEND LITERAL…` and `certile shrink BACKEND LITERAL…`.
struct OneCaseOptions {
  std::string backend;
  std::vector<std::string> literals;
  RunOptions run;
  std::size_t width = 110;  // of pictures, in characters
};

// Runs `certile run`: asks one instance the cases in order, and explains each on `out`.  Returns the exit
// code: 0 if none failed, 1 if any failed, 5 if none could be judged.
int run_command(const OneCaseOptions& options, std::ostream& out, std::ostream& error);

// Runs `certile shrink`: searches for a plainer case that fails as the last literal does, and prints it.
// Returns the exit code: 1 if it fails, 0 if it does not, 5 if it could not be judged.
int shrink_command(const OneCaseOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
