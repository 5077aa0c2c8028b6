#include "conformance/plan/generator.hpp"

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

}  // namespace certile::conformance
