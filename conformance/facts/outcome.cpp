#include "conformance/facts/outcome.hpp"

#include <array>
#include <cstddef>

namespace certile::conformance {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 23> fault_names = {
    "none",           "shape",         "type",          "elements",      "refused",
    "accepted",       "wrote-outside", "read-outside",  "changed-input", "aliased",
    "left-unwritten", "unsteady",      "misplaced",     "raced",         "wrote-on-refusal",
    "changed-state",  "leaked",        "called-oracle", "claim",         "crash",
    "timeout",        "memory",        "failed",
};
static_assert(fault_names.size() == static_cast<std::size_t>(Fault::failed) + 1);

}  // namespace

std::string_view name(Fault fault) noexcept {
  return fault_names[static_cast<std::size_t>(fault)];
}

std::optional<Fault> fault_named(std::string_view name) noexcept {
  for (std::size_t index = 0; index < fault_names.size(); ++index) {
    if (fault_names[index] == name) return static_cast<Fault>(index);
  }
  return std::nullopt;
}

}  // namespace certile::conformance
