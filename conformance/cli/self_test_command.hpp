#pragma once
#include <ostream>
#include <string>

#include "conformance/proof/self_test/runner.hpp"

namespace certile::conformance {

// The options of `certile self-test`.
struct SelfTestCommandOptions {
  SelfTestOptions test;
  bool roster_only = false;
  std::string junit;      // the path of the report to write; empty: none
  std::string witnesses;  // the path of the witnesses to write; empty: none
};

// Checks that the suite catches the errors that it must catch.  Returns the exit code: 0 if it catches all,
// else 1; 2 for an unknown name, 4 if the mutants are missing, 130 if interrupted.
int self_test_command(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
