#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// The options of the process of a backend, which `run`, `shrink` and `certify` share.
struct Limits {
  static constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

  double seconds = 10;
  std::uint64_t mebibytes = 4096;
  std::vector<std::string> environment;
  std::string sandbox;  // empty: none

  // Sets the options.  Returns a sentence if the sandbox that the user requires is not available.
  std::optional<std::string> apply(RunOptions& options) const;
};

}  // namespace certile::conformance
