#include "reference/spec/clause.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace certile {

namespace {

// In the order of the enumeration.
constexpr auto names = std::to_array<std::string_view>({"none",
                                                        "values",
                                                        "tiling",
                                                        "factors",
                                                        "output-rank",
                                                        "output-type",
                                                        "dimension-product",
                                                        "zero-shape",
                                                        "layout",
                                                        "any-shape",
                                                        "high-rank",
                                                        "required-rank",
                                                        "element-types",
                                                        "more-types",
                                                        "repeats-input",
                                                        "repeats-types",
                                                        "mixed-types",
                                                        "repeats-form",
                                                        "whole-number",
                                                        "length",
                                                        "no-broadcast",
                                                        "axis",
                                                        "axis-range",
                                                        "negative-axis",
                                                        "promote-data",
                                                        "promote-repeats",
                                                        "scalar",
                                                        "empty-data",
                                                        "empty-repeats",
                                                        "zero",
                                                        "negative",
                                                        "overflow",
                                                        "count-overflow",
                                                        "strings",
                                                        "excluded",
                                                        "bits",
                                                        "write",
                                                        "bounds",
                                                        "state",
                                                        "input",
                                                        "alias",
                                                        "steady",
                                                        "place",
                                                        "threads",
                                                        "leak",
                                                        "returns",
                                                        "refuse",
                                                        "infer",
                                                        "claim",
                                                        "self"});
static_assert(names.size() == static_cast<std::size_t>(Role::self) + 1);

}  // namespace

std::string_view name(Role role) noexcept {
  return names[static_cast<std::size_t>(role)];
}

std::optional<Role> role_named(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(names.begin() + 1, names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Role>(found - names.begin());
}

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
