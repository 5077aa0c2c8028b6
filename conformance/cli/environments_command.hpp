#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/installation.hpp"

namespace certile::conformance {

// The command `certile environments [make NAME...]`: lists the private Python environments of runtimes, or
// makes some.  The installed program environments.py does the work, and says what each costs first.
class EnvironmentsCommand {
 public:
  explicit EnvironmentsCommand(CLI::App& app);
  EnvironmentsCommand(const EnvironmentsCommand&) = delete;
  EnvironmentsCommand& operator=(const EnvironmentsCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Returns the exit code: 0; 2 for an unknown name or without an installation; 3 if one could not be made.
  int execute(const Installation& installation, std::ostream& error) const;

 private:
  CLI::App& command_;
  std::vector<std::string> names_;
};

}  // namespace certile::conformance
