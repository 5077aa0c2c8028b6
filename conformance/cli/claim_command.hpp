#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include "conformance/cli/limits.hpp"
#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// The command `certile claim BACKEND`: asks everything, whatever the backend claims, and prints the claim
// that it may honestly make.
class ClaimCommand {
 public:
  explicit ClaimCommand(CLI::App& app);
  ClaimCommand(const ClaimCommand&) = delete;
  ClaimCommand& operator=(const ClaimCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Asks the backend of that spelling.  The claim goes to `out`, and sentences about it to `error`.  Returns
  // the exit code: 0; 1 if something fails that the claim does not leave out, or must be refused first; 5 if
  // nothing works.
  int execute(const std::string& spelling, std::ostream& out, std::ostream& error) const;
  const std::string& backend() const noexcept { return backend_; }

 private:
  CLI::App& command_;
  std::string backend_, tier_ = "core";
  bool as_python_ = false, as_json_ = false;
  int jobs_;
  Limits limits_;
};

}  // namespace certile::conformance
