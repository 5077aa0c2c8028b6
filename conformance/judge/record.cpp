#include "conformance/judge/record.hpp"

#include <array>
#include <cstddef>

namespace certile {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, verdict_count> verdict_names = {
    "pass", "fail", "unsupported", "waived", "stale-waiver", "inconclusive", "not-run",
};
static_assert(verdict_names.size() == static_cast<std::size_t>(Verdict::not_run) + 1);

}  // namespace

std::string_view name(Verdict verdict) noexcept {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view name) noexcept {
  for (std::size_t index = 0; index < verdict_names.size(); ++index) {
    if (verdict_names[index] == name) return static_cast<Verdict>(index);
  }
  return std::nullopt;
}

}  // namespace certile
