#include <array>

#include "conformance/proof/fuzz/process_targets.hpp"
#include "conformance/proof/fuzz/text_targets.hpp"

namespace certile::conformance {

std::span<const FuzzTarget> fuzz_targets() noexcept {
  static constexpr std::array targets{
      FuzzTarget{"literal", fuzz_literal}, FuzzTarget{"corpus", fuzz_corpus},
      FuzzTarget{"records", fuzz_records}, FuzzTarget{"waivers", fuzz_waivers},
      FuzzTarget{"request", fuzz_request}, FuzzTarget{"reply", fuzz_reply},
      FuzzTarget{"claim", fuzz_claim},     FuzzTarget{"message", fuzz_message}};
  return targets;
}

}  // namespace certile::conformance
