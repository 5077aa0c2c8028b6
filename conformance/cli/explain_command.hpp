#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace certile::conformance {

// The command `certile explain WORD`: says what a clause requires, or what a word of a report means.
class ExplainCommand {
 public:
  explicit ExplainCommand(CLI::App& app);
  ExplainCommand(const ExplainCommand&) = delete;
  ExplainCommand& operator=(const ExplainCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Returns the exit code: 0, or 2 for a word without an explanation.
  int execute(std::size_t width, std::ostream& out, std::ostream& error) const;

 private:
  CLI::App& command_;
  std::vector<std::string> words_;
};

}  // namespace certile::conformance
