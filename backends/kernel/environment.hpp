#pragma once
#include <cstdint>
#include <optional>

namespace certile::kernel {

// Returns the number of bytes in this environment variable; nothing if it is not set or not a number.
std::optional<std::uint64_t> bytes_in_environment(const char* name) noexcept;

}  // namespace certile::kernel
