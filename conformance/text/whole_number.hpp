#pragma once
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

namespace certile::conformance {

// Returns a check of an option's value: a number of 0 to `most` in decimal digits.  CLI11 alone would clamp a
// larger number.
inline CLI::Validator whole_number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const auto check = [most](const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    const bool good = read.ec == std::errc() && read.ptr == end && value <= most;
    return good ? std::string() : "'" + text + "' is no number from 0 to " + std::to_string(most);
  };
  return CLI::Validator(check, "");
}

}  // namespace certile::conformance
