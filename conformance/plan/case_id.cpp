#include "conformance/plan/case_id.hpp"

#include "conformance/text/digest.hpp"

namespace certile::conformance {

std::string case_id(std::string_view literal) {
  return sha256_hex(literal).substr(0, 16);
}

}  // namespace certile::conformance
