#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/values/case.hpp"

namespace certile::conformance {

// A number that follows from a case, for instance the bytes of a row, with the words of sentences about it:
// "rows have 33 bytes or more", "the size of a row is a multiple of 16 bytes".
struct Quantity {
  const char *subject, *has, *unit;
  const char *number, *number_unit;  // of the sentences about what kind of number it is
  bool is_one;                       // a case has one such number, and not one for each axis
};

inline constexpr std::size_t quantity_count = 19;
extern const std::array<Quantity, quantity_count> quantities;

// The numbers of a case, by quantity.  A quantity has none if the case has no such thing.
using CaseNumbers = std::array<std::vector<std::int64_t>, quantity_count>;
CaseNumbers numbers_of(const Case& question);

}  // namespace certile::conformance
