#include "conformance/plan/generator.hpp"

#include <algorithm>
#include <array>

namespace certile::conformance {
namespace {

constexpr std::array<std::string_view, generator_count> names{
#define GENERATOR(name) #name,
#include "conformance/plan/generators.inc"
#undef GENERATOR
};

}  // namespace

std::string_view name(Generator generator) noexcept {
  return names[static_cast<std::size_t>(generator)];
}

std::optional<Generator> generator_named(std::string_view wanted) noexcept {
  const auto* const found = std::ranges::find(names, wanted);
  if (found == names.end()) return std::nullopt;
  return static_cast<Generator>(found - names.begin());
}

}  // namespace certile::conformance
