#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// The frequencies of the generators in an order of cases, relative to each other.
struct Weights {
  std::array<std::uint32_t, generator_count> of;  // each at least 1

  std::uint32_t operator[](Generator generator) const noexcept {
    return of[static_cast<std::size_t>(generator)];
  }
};

// Reads lines "GENERATOR WEIGHT"; what follows a # is ignored.  A generator without a line, as a new one,
// gets the mean of the others.  Error: bad_literal with `named:line:`.
Result<Weights> parse_weights(std::string_view text, const std::string& named);
// Returns the weights of this program, which conformance/plan/weights.txt has.
const Weights& built_in_weights();

// A class of cases that a kernel may distinguish from others: those of a generator are asked in turn.
struct Cell {
  DefinitionId definition{};
  std::uint8_t width = 0;  // of an element: packed, 1, 2, 4, 8 and 16 bytes, strings
  std::uint8_t size = 0;   // of the output: refused, empty, up to 256 bytes, up to 64 KiB, more
  auto operator<=>(const Cell&) const = default;
};
Cell cell_of(const Case& question);

// Puts witnesses first, and the other cases into an order of which every beginning is a balanced sample:
// generators in proportion to their weights, within a generator every cell in turn, within a cell by a hash
// of the literal.  Witnesses are in this order too.  Cases that follow another stay behind it; those given by
// name come last.
void put_most_telling_first(std::vector<PlannedCase>& cases, const Weights& weights);

// Keeps the first cases of such an order: `count` of those not given by name, in whole sequences.
void keep_first(std::vector<PlannedCase>& cases, std::int64_t count);

}  // namespace certile::conformance
