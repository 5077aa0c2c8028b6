#include "conformance/ask/rig/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace certile::conformance {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

std::size_t page() noexcept {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t whole(std::size_t size, std::size_t unit) noexcept {
  return (std::max<std::size_t>(size, 1) + unit - 1) / unit * unit;
}

// Reserves unreadable memory for `extent` bytes between unreadable areas, and returns the place of the bytes;
// null if there is none, or not at `wanted`, which is null for any place.
std::byte* reserve(std::byte* wanted, std::size_t extent) noexcept {
  // [CT-BOUNDS] the parts that are not mapped again below stay unreadable, before and after the arena
  const std::size_t size = extent + 2 * Arena::unreadable;
  const int placing = wanted == nullptr ? 0 : MAP_FIXED_NOREPLACE;
  void* begin = wanted == nullptr ? nullptr : wanted - Arena::unreadable;
  void* all = mmap(begin, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | placing, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  if (wanted != nullptr && all != begin) {  // a system that takes the address for a hint
    munmap(all, size);
    return nullptr;
  }
  return static_cast<std::byte*>(all) + Arena::unreadable;
}

// Reserves memory that ends `past` bytes behind a multiple of 4 GiB, so that addresses that are cut to 32
// bits show, and two such places are farther apart than 32 bits reach.  The place is more than 2 GiB below
// `above`, unless that is null.  Takes another multiple of 2 MiB if these places are not free.
std::byte* reserve_past_4_gib(std::size_t extent, std::size_t past,
                              const std::byte* above = nullptr) noexcept {
  constexpr std::uintptr_t four_gib = std::uintptr_t{1} << 32;
  std::byte* const anywhere = reserve(nullptr, extent + large_page);
  if (anywhere == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(anywhere);
  // The system chooses places from above, so below this one there is room.
  const std::uintptr_t first =
      (above == nullptr ? address : reinterpret_cast<std::uintptr_t>(above)) / four_gib;
  for (std::uintptr_t tries = 1; tries < 64 && first > tries + 1; ++tries) {
    const std::uintptr_t end = (first - tries) * four_gib + past;
    std::byte* const wanted = anywhere - (address - end) - extent;
    if (std::byte* place = reserve(wanted, extent)) {
      munmap(anywhere - Arena::unreadable, extent + large_page + 2 * Arena::unreadable);
      return place;
    }
  }
  return anywhere + (whole(address, large_page) - address);
}

bool all_are(std::span<const std::byte> bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [value](std::byte each) { return each == value; });
}

}  // namespace

Result<Arena> Arena::create(std::size_t capacity, bool read_only, std::byte guard) {
  Arena arena(whole(capacity, page()), guard);
  // [CT-PLACE] an output may begin where a large page does
  if (!read_only) arena.extent_ = whole(arena.capacity_ - page(), large_page) + page();
  if (read_only ? arena.map_input() : arena.map_output()) return arena;
  return Error{Error::Code::io, std::string("cannot map an arena: ") + std::strerror(errno)};
}

// Outputs are in private memory, as those of programs are: what is done to its pages shows.
bool Arena::map_output() noexcept {
  std::byte* place = reserve_past_4_gib(extent_, page());
  if (place == nullptr) return false;
  void* made = mmap(place, extent_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (made == MAP_FAILED) return false;
  seen_base_ = written_base_ = place;
  return true;
}

bool Arena::map_input() noexcept {
  const int descriptor = memfd_create("data", MFD_CLOEXEC);
  if (descriptor < 0) return false;
  const auto map = [&](void* place, int protection, int placing) {
    void* made = mmap(place, extent_, protection, MAP_SHARED | placing, descriptor, 0);
    return made == MAP_FAILED ? nullptr : static_cast<std::byte*>(made);
  };
  // [CT-INPUT] a backend sees its inputs through read-only pages
  const auto map_seen = [&](std::size_t past, const std::byte* above) {
    std::byte* place = reserve_past_4_gib(extent_, past, above);
    return place == nullptr ? nullptr : map(place, PROT_READ, MAP_FIXED);
  };
  if (ftruncate(descriptor, static_cast<off_t>(extent_)) == 0) {
    seen_base_ = map_seen(page(), nullptr);
    written_base_ = map(nullptr, PROT_READ | PROT_WRITE, 0);
    // An address that is cut to 32 bits is not that of the same bytes.
    twin_base_ = map_seen(std::size_t{1} << 30, seen_base_);
  }
  const int reason = errno;
  close(descriptor);
  errno = reason;
  return seen_base_ != nullptr && written_base_ != nullptr && twin_base_ != nullptr;
}

bool Arena::place(std::size_t size, Spot spot) noexcept {
  constexpr std::size_t line = 64;
  // [CT-PLACE] at an offset past a boundary, or flush against the beginning or the end
  if (spot.side == Spot::Side::inside) {
    // Room for the guard bytes before the buffer, then the boundary, then the offset.
    start_ = guard_bytes / line * line + static_cast<std::size_t>(spot.offset);
    if (size > capacity_ || capacity_ - size < start_) return false;
  } else {
    if (size > capacity_) return false;
    start_ = spot.side == Spot::Side::left ? 0 : extent_ - size;
  }
  size_ = size;
  for (const auto side : {before(), after()})
    std::fill(side.begin(), side.end(), guard_);
  return true;
}

std::span<std::byte> Arena::before() const noexcept {
  const std::size_t length = std::min(start_, guard_bytes);
  return {written_base_ + start_ - length, length};
}

std::span<std::byte> Arena::after() const noexcept {
  const std::size_t end = start_ + size_;
  return {written_base_ + end, std::min(extent_ - end, guard_bytes)};
}

bool Arena::guards_intact() const noexcept {
  return all_are(before(), guard_) && all_are(after(), guard_);
}

Arena::Location Arena::locate(const void* address) const noexcept {
  const Location location = locate_from(seen_base_, address);
  return location.here || twin_base_ == nullptr ? location : locate_from(twin_base_, address);
}

bool Arena::is_multiples_of_4_gib_away(const void* address) const noexcept {
  constexpr std::uintptr_t multiple = std::uintptr_t{1} << 32, near = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(seen_base_ + start_) - near;
  const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(address) - begin;
  return past >= multiple && past % multiple < size_ + 2 * near;
}

Arena::Location Arena::locate_from(const std::byte* first, const void* address) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto base = reinterpret_cast<std::uintptr_t>(first);
  if (at < base - unreadable || at >= base + extent_ + unreadable) return {};
  const std::uintptr_t start = base + start_;
  const std::uintptr_t end = start + size_;
  if (at < start) return {true, -static_cast<std::int64_t>(start - at)};
  if (at >= end) return {true, static_cast<std::int64_t>(at - end + 1)};
  return {true, 0};
}

}  // namespace certile::conformance
