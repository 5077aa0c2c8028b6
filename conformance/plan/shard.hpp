#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// One of several shares of a plan, which are disjoint and together the whole plan.
struct Shard {
  int index = 1;  // counts from 1
  int of = 1;
  static constexpr int most = 100'000;

  // Returns true if the shard has the case.  Only the literal decides, through its SHA-256.
  bool has(std::string_view literal) const;
  // Returns true if the shard has the number `place`, from 0, of a list.
  bool has_place(std::size_t place) const noexcept;
  bool operator==(const Shard&) const = default;
};

// Returns the index of the one of these shards that has the case.
int owner_of(std::string_view literal, int shards);

// Returns "shard 2 of 7".
std::string to_string(const Shard& shard);

// Reads "2/7".  Error: bad_literal with a sentence.
Result<Shard> parse_shard(std::string_view text);

// The cases of a plan that one run asks, in the order of the plan.
using Share = std::vector<const PlannedCase*>;
// Returns the cases of the shard, or all.
Share share_of(const Plan& plan, const std::optional<Shard>& shard);

}  // namespace certile::conformance
