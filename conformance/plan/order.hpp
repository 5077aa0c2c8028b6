#pragma once
#include <cstdint>
#include <vector>

#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// A class of cases that a kernel may distinguish from others: those of a generator are asked in turn.
struct Cell {
  DefinitionId definition{};
  std::uint8_t width = 0;  // of an element: packed, 1, 2, 4, 8 and 16 bytes, strings
  std::uint8_t size = 0;   // of the output: refused, empty, up to 256 bytes, up to 64 KiB, more
  auto operator<=>(const Cell&) const = default;
};
Cell cell_of(const Case& question);

// Puts witnesses first, and the other cases into an order of which every beginning is a balanced sample: the
// generators in turn, within a generator every cell in turn, within a cell by a hash of the literal.
// Witnesses are in this order too.  Cases that follow another stay behind it; those given by name come last.
void put_most_telling_first(std::vector<PlannedCase>& cases);

// Keeps the first cases of such an order: `count` of those not given by name, in whole sequences.
void keep_first(std::vector<PlannedCase>& cases, std::int64_t count);

}  // namespace certile::conformance
