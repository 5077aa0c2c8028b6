#pragma once
#include <string>

namespace certile::conformance {

// A mutant that takes a repeat of 0 for 1.
inline const std::string zero_as_one = CERTILE_MUTANTS "/M09.so";

}  // namespace certile::conformance
