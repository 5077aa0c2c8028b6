#include "reference/spec/clause.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace certile {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 6> kind_names = {"normative", "example",   "informative",
                                                        "ours",      "exclusion", "contract"};

}  // namespace

std::string_view name(Clause::Kind kind) noexcept {
  return kind_names[static_cast<std::size_t>(kind)];
}

bool read_kind(std::string_view name, Clause::Kind& kind) noexcept {
  const auto* const found = std::ranges::find(kind_names, name);
  if (found == kind_names.end()) return false;
  kind = static_cast<Clause::Kind>(found - kind_names.begin());
  return true;
}

bool counts_at_text(Clause::Kind kind) noexcept {
  using enum Clause::Kind;
  return kind == normative || kind == example || kind == contract;
}

}  // namespace certile
