#include "conformance/ask/rig/side_by_side.hpp"

#include <algorithm>

namespace certile::conformance {
namespace {

constexpr std::size_t width = 64;  // of the widest vector, in bytes

// Returns true if an output has bytes of nobody in front of it.
bool begins_a_pair(std::size_t index) {
  return index == 0 || index % 2 == 1;
}

}  // namespace

SideBySide::SideBySide(std::size_t count, std::size_t size) : bytes_(count * size + (count / 2 + 2) * width) {
  std::span<std::byte> rest(bytes_);
  const auto take = [&rest](std::size_t length) {
    const std::span<std::byte> taken = rest.first(length);
    rest = rest.subspan(length);
    return taken;
  };
  for (std::size_t index = 0; index < count; ++index) {
    if (begins_a_pair(index)) between_.push_back(take(width));
    outputs_.push_back(take(size));
  }
  between_.push_back(take(width));
}

void SideBySide::change_between() noexcept {
  for (const std::span<std::byte> each : between_)
    is_undone_ = is_undone_ || std::ranges::count(each, last_) != std::ssize(each);
  last_ ^= std::byte{0xff};
  for (const std::span<std::byte> each : between_)
    std::ranges::fill(each, last_);
}

}  // namespace certile::conformance
