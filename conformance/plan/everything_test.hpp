#pragma once
#include "conformance/facts/claim.hpp"

namespace certile::conformance {

// Returns the claim of an implementation that can do all that certile asks.
inline Claim claim_of_everything() {
  Claim claim;
  claim.name = "everything";
  claim.version = "1";
  claim.definitions = all_definitions();
  claim.types = claim.repeats_types = TypeSet::all();
  return claim;
}

}  // namespace certile::conformance
