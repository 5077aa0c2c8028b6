#pragma once
#include <string>
#include <string_view>

namespace certile::conformance {

// Returns a name for a case in files and tests, where a literal does not fit: the first 16 hex digits of its
// SHA-256.
// SHA-256.
std::string case_id(std::string_view literal);

}  // namespace certile::conformance
