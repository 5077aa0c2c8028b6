#include "bench/run/regime.hpp"

#include <cstddef>

namespace certile::bench {
namespace {

constexpr std::uint64_t tiny_bytes = 4096;
constexpr std::uint64_t short_bytes = 64;

// Returns true for axes of length one that nothing repeats: they affect nothing.
bool is_idle(const oracle::Promoted& tiling, std::size_t axis) {
  return tiling.data[axis] == 1 && tiling.repeats[axis] == 1;
}

// Returns the elements of the longest contiguous run.
std::int64_t run_elements(const oracle::Promoted& tiling) noexcept {
  std::int64_t run = 1;
  for (std::size_t axis = tiling.data.size(); axis-- > 0;) {
    run *= tiling.data[axis];
    if (tiling.repeats[axis] != 1) break;
  }
  return run;
}

// Returns the number of separate repetitions: that of an axis of length one and that of the axis inside it
// are one.
int repeated_groups(const oracle::Promoted& tiling) {
  int groups = 0;
  bool inside_is_repeated = false;
  for (std::size_t axis = tiling.data.size(); axis-- > 0;) {
    if (is_idle(tiling, axis)) continue;
    const bool repeated = tiling.repeats[axis] != 1;
    if (repeated && (!inside_is_repeated || tiling.data[axis] != 1)) ++groups;
    inside_is_repeated = repeated;
  }
  return groups;
}

bool repeats_everything(const oracle::Promoted& tiling) {
  for (std::size_t axis = 0; axis < tiling.data.size(); ++axis)
    if (!is_idle(tiling, axis)) return tiling.repeats[axis] != 1;
  return true;
}

std::uint64_t bytes_of(ElementType type, std::int64_t elements) noexcept {
  return static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(bits(type)) / 8;
}

}  // namespace

std::uint64_t innermost_bytes(ElementType type, const oracle::Promoted& tiling) noexcept {
  return bytes_of(type, run_elements(tiling));
}

std::string_view regime_of(ElementType type, const oracle::Promoted& tiling) {
  const std::int64_t written = element_count(tiling.output).value_or(0);
  const int groups = repeated_groups(tiling);
  if (groups == 0) return "none";
  if (bytes_of(type, written) <= tiny_bytes) return "tiny";
  if (run_elements(tiling) == 1) return "fill";
  if (groups > 1) return "mixed";
  if (innermost_bytes(type, tiling) <= short_bytes) return "short";
  return repeats_everything(tiling) ? "whole" : "rows";
}

}  // namespace certile::bench
