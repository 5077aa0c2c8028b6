#pragma once
#include <ostream>
#include <string>

#include "conformance/cli/limits.hpp"

namespace certile::conformance {

// The options of `certile claim BACKEND`.
struct ClaimOptions {
  std::string backend, tier = "core";
  bool as_python = false, as_json = false;
  int jobs = 1;
};

// Asks the backend everything, whatever it claims, and prints the claim that it may honestly make on `out`,
// and sentences about it on `error`.  Returns the exit code: 0; 1 if something fails that the claim does not
// leave out, or must be refused first; 5 if nothing works.
int claim_command(const ClaimOptions& options, const Limits& limits, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
