#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// The options of the process of a backend, which `run`, `shrink` and `certify` share.
struct Limits {
  double seconds = 10;
  std::uint64_t mebibytes = 4096;
  std::vector<std::string> environment;
  std::string sandbox;  // empty: none

  void add_to(CLI::App& command);
  // Sets the options.  Returns a sentence if the sandbox that the user requires is not available.
  std::optional<std::string> apply(RunOptions& options) const;
};

}  // namespace certile::conformance
