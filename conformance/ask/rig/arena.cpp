#include "conformance/ask/rig/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace certile::conformance {
namespace {

std::size_t whole_pages(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (std::max<std::size_t>(size, 1) + page - 1) / page * page;
}

// A pair of views of one stretch of memory: the backend's, between its unreadable areas, and the rig's.
struct Views {
  std::byte* seen;
  std::byte* written;
};

std::byte* reserve_between_guards(std::size_t capacity, std::size_t alignment) {
  // [CT-BOUNDS] the parts that are not mapped again below stay unreadable, before and after the arena
  void* all = mmap(nullptr, capacity + alignment + 2 * Arena::unreadable, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(all) + Arena::unreadable;
  const std::size_t past = first % alignment;
  return static_cast<std::byte*>(all) + Arena::unreadable + (past == 0 ? 0 : alignment - past);
}

Views map_views(int descriptor, std::byte* place, std::size_t capacity, bool read_only) {
  // Outputs are in private memory, as those of programs are: what is done to its pages shows.
  if (!read_only) {
    void* made =
        mmap(place, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return made == MAP_FAILED ? Views{nullptr, nullptr} : Views{place, place};
  }
  // [CT-INPUT] a backend sees its inputs through read-only pages
  if (mmap(place, capacity, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED)
    return {nullptr, nullptr};
  void* written = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return {place, written == MAP_FAILED ? nullptr : static_cast<std::byte*>(written)};
}

bool all_are(std::span<const std::byte> bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [value](std::byte each) { return each == value; });
}

}  // namespace

Result<Arena> Arena::create(std::size_t capacity, bool read_only, std::byte guard) {
  const std::size_t size = whole_pages(capacity);
  const int descriptor = read_only ? memfd_create("data", MFD_CLOEXEC) : -1;
  Views views{nullptr, nullptr};
  if (!read_only || (descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(size)) == 0)) {
    // [CT-PLACE] an output may begin where a large page does
    constexpr std::size_t large_page = 2 << 20;
    std::byte* place = reserve_between_guards(size, read_only ? whole_pages(1) : large_page);
    if (place != nullptr) views = map_views(descriptor, place, size, read_only);
  }
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (views.seen == nullptr || views.written == nullptr)
    return Error{Error::Code::io, std::string("cannot map an arena: ") + std::strerror(reason)};
  return Arena(views.seen, views.written, size, guard);
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
    start_ = spot.side == Spot::Side::left ? 0 : capacity_ - size;
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
  return {written_base_ + end, std::min(capacity_ - end, guard_bytes)};
}

bool Arena::guards_intact() const noexcept {
  return all_are(before(), guard_) && all_are(after(), guard_);
}

Arena::Location Arena::locate(const void* address) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto base = reinterpret_cast<std::uintptr_t>(seen_base_);
  if (at < base - unreadable || at >= base + capacity_ + unreadable) return {};
  const std::uintptr_t start = base + start_;
  const std::uintptr_t end = start + size_;
  if (at < start) return {true, -static_cast<std::int64_t>(start - at)};
  if (at >= end) return {true, static_cast<std::int64_t>(at - end + 1)};
  return {true, 0};
}

}  // namespace certile::conformance
