#pragma once
#include <string>

namespace certile::conformance {

// Quotes `text` as one word of a shell's command line.
std::string quoted_for_shell(const std::string& text);

}  // namespace certile::conformance
