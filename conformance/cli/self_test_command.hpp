#pragma once
#include <CLI/CLI.hpp>
#include <ostream>

#include "conformance/proof/self_test/matrix_run.hpp"
#include "conformance/proof/self_test/runner.hpp"

namespace certile::conformance {

// The command `certile self-test`: checks that the suite catches the errors that it must catch.
class SelfTestCommand {
 public:
  explicit SelfTestCommand(CLI::App& app);
  SelfTestCommand(const SelfTestCommand&) = delete;
  SelfTestCommand& operator=(const SelfTestCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Returns the exit code: 0 if the suite catches all, else 1; 2 for an unknown name, 4 if the mutants are
  // missing, 130 if interrupted.
  int execute(std::ostream& out, std::ostream& error) const;

 private:
  int make(std::ostream& out, std::ostream& error) const;
  int learn_weights(std::ostream& out, std::ostream& error) const;

  CLI::App& command_;
  SelfTestOptions options_;
  bool roster_only_ = false;
  std::optional<Budget> budget_;
  std::string matrix_;      // the path of the kill matrix to write; empty: none
  std::string witnesses_;   // the path of the witnesses to write; empty: none
  std::string learn_from_;  // the path of one to learn from; empty: none
  std::int64_t few_ = 5;
};

}  // namespace certile::conformance
