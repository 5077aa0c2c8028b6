#include "conformance/ask/rig/side_by_side.hpp"

#include <algorithm>

namespace certile::conformance {
namespace {

constexpr std::size_t width = 64;  // of the widest vector, in bytes

}  // namespace

SideBySide::SideBySide(std::size_t count, std::size_t size) : bytes_(count * (size + 2 * width)) {
  std::span<std::byte> rest(bytes_);
  const auto take = [&rest](std::size_t length) {
    const std::span<std::byte> taken = rest.first(length);
    rest = rest.subspan(length);
    return taken;
  };
  while (places_.size() < count) {
    Place& place = places_.emplace_back();
    place.before = take(width);
    place.output = take(size);
    place.behind = take(width);
  }
}

void SideBySide::change_around(std::size_t index) noexcept {
  Place& place = places_[index];
  const std::uint32_t changes = place.changes.load(std::memory_order_relaxed);
  for (const std::span<std::byte> each : {place.before, place.behind}) {
    const auto is_left = [changes](std::byte byte) { return byte == static_cast<std::byte>(changes); };
    place.is_undone = place.is_undone || !std::ranges::all_of(each, is_left);
    std::ranges::fill(each, static_cast<std::byte>(changes + 1));
  }
  place.changes.store(changes + 1, std::memory_order_relaxed);
}

bool SideBySide::has_undone_change() noexcept {
  for (std::size_t index = 0; index < places_.size(); ++index)
    change_around(index);
  return std::ranges::any_of(places_, &Place::is_undone);
}

}  // namespace certile::conformance
