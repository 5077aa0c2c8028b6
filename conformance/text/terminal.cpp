#include "conformance/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace certile::conformance {

bool is_terminal(int descriptor) noexcept {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

bool wants_colour(int descriptor) noexcept {
  return is_terminal(descriptor) && std::getenv("NO_COLOR") == nullptr;
}

std::size_t columns_of(int descriptor, std::size_t otherwise) noexcept {
  constexpr std::size_t least = 60;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return std::max<std::size_t>(least, size.ws_col);
}

}  // namespace certile::conformance
