#include "conformance/text/exit_code.hpp"

#include <algorithm>
#include <array>

namespace certile::conformance {

int graver(int left, int right) noexcept {
  constexpr std::array<int, 6> gravest_first{exit_interrupted,    exit_own_failure, exit_not_loaded,
                                             exit_not_conformant, exit_nothing_run, exit_conformant};
  return *std::find_if(gravest_first.begin(), gravest_first.end(),
                       [&](int code) { return code == left || code == right; });
}

}  // namespace certile::conformance
