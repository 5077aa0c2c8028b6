#include "backends/kernel/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace certile::kernel {

std::optional<std::uint64_t> bytes_in_environment(const char* name) noexcept {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  std::uint64_t bytes = 0;
  const char* const end = text + std::strlen(text);
  const auto read = std::from_chars(text, end, bytes);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return bytes;
}

}  // namespace certile::kernel
