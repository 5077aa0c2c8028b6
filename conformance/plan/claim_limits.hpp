#pragma once
#include <span>
#include <string>
#include <vector>

#include "backends/plugin/backend.hpp"

namespace certile {

// Where a claim is narrower than what `definitions` allow, each limit in a few words: "16 of 25 types",
// "repeats i64", "rank ≤ 4", "no shape inference".  None: everything that the definitions allow is claimed.
std::vector<std::string> claim_limits(const Description& claim, std::span<const DefinitionId> definitions);

// The limits of size and inference in one line, as `claim_limits` spells them; "none" where there are none.
std::string size_limits_text(const Description& claim);

// The names of definitions or types.
template <class Value>
std::vector<std::string> names_of(std::span<const Value> values) {
  std::vector<std::string> names;
  for (const Value value : values)
    names.emplace_back(name(value));
  return names;
}

}  // namespace certile
