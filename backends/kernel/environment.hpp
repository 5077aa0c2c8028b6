#pragma once
#include <cstdint>
#include <optional>

namespace certile {

// The number of bytes that the environment holds under this name; nothing where it holds none, or no number.
std::optional<std::uint64_t> bytes_in_environment(const char* name) noexcept;

}  // namespace certile
