#pragma once
#include <ostream>
#include <span>

#include "conformance/proof/self_test/trial.hpp"

namespace certile::conformance {

// Writes a file of plan/witnesses/ with the witnesses of these trials.
void write_witnesses(std::ostream& out, std::span<const Trial> trials);

}  // namespace certile::conformance
