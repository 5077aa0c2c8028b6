#pragma once
#include <string>
#include <string_view>

namespace certile {

// Returns the beginning of an untrusted text, fit for a message: at most 40 characters and then "...", bytes
// outside printable ASCII as \xNN.
std::string excerpt(std::string_view text);

}  // namespace certile
