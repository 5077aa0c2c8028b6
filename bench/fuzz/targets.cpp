#include <array>
#include <string>

#include "bench/report/report_json.hpp"
#include "conformance/proof/fuzz/fuzz_target.hpp"

namespace certile {
namespace {

// A file of timings, as --json writes it and `compare` and `goals` read it.
void fuzz_timings(std::span<const std::byte> input) {
  const auto run = run_from_json(as_text(input));
  if (!run) return insist(!run.error().what.empty(), "an error without words");
  const std::string once = to_json(*run);
  const auto again = run_from_json(once);
  insist(again && to_json(*again) == once, "what was read changes by being written");
}

}  // namespace

std::span<const FuzzTarget> fuzz_targets() noexcept {
  static constexpr std::array targets{FuzzTarget{"timings", fuzz_timings}};
  return targets;
}

}  // namespace certile
