#pragma once
#include <span>
#include <string>
#include <vector>

#include "conformance/facts/claim.hpp"

namespace certile::conformance {

// Returns the limits that make a claim narrower than what `definitions` allow, each in a few words: "16 of 25
// types", "repeats i64", "rank ≤ 4", "no shape inference".  Empty if the claim has everything that they
// allow.
std::vector<std::string> claim_limits(const Claim& claim, std::span<const DefinitionId> definitions);

// Returns the limits of size and inference in one line, as `claim_limits` spells them, or "none".
std::string size_limits_text(const Claim& claim);

// Returns the names of definitions or types.
template <class Value, class Values>
std::vector<std::string> names_of(const Values& values) {
  std::vector<std::string> names;
  for (const Value value : values)
    names.emplace_back(name(value));
  return names;
}

}  // namespace certile::conformance
