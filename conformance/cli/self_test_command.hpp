#pragma once
#include <CLI/CLI.hpp>
#include <ostream>

#include "conformance/proof/self_test/runner.hpp"

namespace certile {

// `certile self-test`: whether the suite catches what it must.
class SelfTestCommand {
 public:
  explicit SelfTestCommand(CLI::App& app);
  SelfTestCommand(const SelfTestCommand&) = delete;
  SelfTestCommand& operator=(const SelfTestCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // 0, or 1 where it does not; 2 for a name that is nobody's, 4 where the mutants are not there, 130 when
  // interrupted.
  int execute(std::ostream& out, std::ostream& error) const;

 private:
  CLI::App& command_;
  SelfTestOptions options_;
  bool roster_only_ = false;
};

}  // namespace certile
