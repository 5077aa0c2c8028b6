#pragma once
#include <string>
#include <string_view>

namespace certile {

// The name of a case where a literal cannot stand, in files and tests: the first 16 hex digits of its
// SHA-256.
std::string case_id(std::string_view literal);

}  // namespace certile
