#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "conformance/proof/self_test/matrix_run.hpp"
#include "conformance/proof/self_test/runner.hpp"

namespace certile::conformance {

// The options of `certile self-test`.
struct SelfTestCommandOptions {
  SelfTestOptions test;
  bool roster_only = false;
  std::string junit;  // the path of the report to write; empty: none
  std::optional<Budget> budget;
  std::string matrix;      // the path of the kill matrix to write; empty: none
  std::string witnesses;   // the path of the witnesses to write; empty: none
  std::string learn_from;  // the path of one to learn from; empty: none
  std::int64_t few = 5;
};

// Checks that the suite catches the errors that it must catch.  Returns the exit code: 0 if it catches all,
// else 1; 2 for an unknown name, 4 if the mutants are missing, 130 if interrupted.
int self_test_command(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
