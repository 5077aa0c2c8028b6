#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace certile::conformance {

// The part of a plan that a case is from: one of the generators of tiers/, a corpus, or the command line.
enum class Generator : std::uint8_t {
#define GENERATOR(name) name,
#include "conformance/plan/generators.inc"
#undef GENERATOR
};
inline constexpr std::size_t generator_count = 0
#define GENERATOR(name) +1
#include "conformance/plan/generators.inc"
#undef GENERATOR
    ;

// Returns the word for it: "small_shapes".
std::string_view name(Generator generator) noexcept;

}  // namespace certile::conformance
