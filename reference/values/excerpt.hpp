#pragma once
#include <string>
#include <string_view>

namespace certile {

// The beginning of a text that nobody checked, fit for a message: at most 40 characters and then "...", bytes
// outside printable ASCII as \xNN.
std::string excerpt(std::string_view text);

}  // namespace certile
