#pragma once
#include <cstdint>
#include <vector>

#include "conformance/plan/tiers/sink.hpp"

namespace certile::conformance {

// A receiver of drafts that are asked once, under one of the definitions in turn, because what they try
// depends on the kernel behind the definitions: a size, a length, an address.
class Spread {
 public:
  // Adds to `cases`, which outlive the spread, as `scopes` do.
  Spread(const std::vector<Scope>& scopes, Cases& cases);

  // Sets the generator of the next drafts.
  void begin(Generator generator) noexcept { cases_.begin(generator); }
  // Returns the widths of an element, in bits, that a claimed type of any definition has, packed ones first;
  // strings are not among them.
  const std::vector<int>& widths() const noexcept { return widths_; }

  // Adds the draft, whose type is chosen from those of `width` bits, under one of the definitions that have
  // one and take all repeats at once.  Every fourth draft that repeats a single axis is added under a
  // definition with an axis too, and every draft if no other definition is claimed.
  void add(int width, Draft draft);
  // Does so for a type of real numbers; adds nothing if no claimed type of that width is one.
  void add_real(int width, Draft draft);

 private:
  // Whether a type may be chosen.
  using Suits = bool (*)(ElementType type);
  void add_suited(int width, Draft draft, Suits suits);
  void add_under(const std::vector<const Scope*>& scopes, int width, Draft& draft, Suits suits);

  std::vector<const Scope*> with_all_repeats_, with_axis_;
  Cases& cases_;
  std::vector<int> widths_;
  std::uint64_t number_ = 0;
};

}  // namespace certile::conformance
