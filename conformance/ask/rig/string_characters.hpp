#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "conformance/ask/rig/arena.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// The order in memory of the characters of successive strings.
enum class CharacterOrder : bool {
  rising,  // each string's directly behind those of the one before; an empty string has an address;
           // successive strings of which each begins as the others do share one
  falling  // each string's before those of the one before, with a gap, and every second one's in the arena's
           // twin, far away; an empty string's address is null; strings that are the end of the next one are
           // the end of its characters
};

// Copies the characters of a string tensor into the arena.  Returns the tensor's bytes, which are views of
// the copies; nothing if the characters do not fit.
std::optional<std::vector<std::byte>> place_characters(const Tensor& strings, Spot spot, CharacterOrder order,
                                                       Arena& arena);

}  // namespace certile::conformance
