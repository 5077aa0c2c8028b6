#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace certile::conformance {

// A resource that a process can run out of, counted in descriptors, threads, bytes or processes.
enum class Resource : std::uint8_t { descriptors, threads, heap, address_space, processes };
inline constexpr std::size_t resource_count = 5;
using Amounts = std::array<std::int64_t, resource_count>;

// Returns what this process has now.  A resource that the system does not show stays 0.
Amounts amounts_now() noexcept;

// Returns true if this process has many more descriptors, threads, processes or mapped bytes than before.
bool has_run_low(const Amounts& before) noexcept;

// Returns the growth over the last three quarters of the values, which are evenly spaced, if it is steady:
// the least value of each eighth of these quarters is above that of the eighth before, and no rise is less
// than half of the average rise.  A pool that reaches its size, a table that doubles now and then, memory
// that is collected from time to time and noise are not steady.  `least` is the smallest number of values.
inline constexpr std::size_t least_values = 32;
std::optional<std::int64_t> steady_growth(std::span<const std::int64_t> values);

// The amounts after every few calls.  Room for the samples is made at once, so that taking them keeps
// nothing; when the room is used up, every second sample is dropped.
class Growth {
 public:
  static constexpr std::int64_t long_enough = 250'000;

  // Begins with a sample after every `stride` calls.  After `enough` calls a smaller growth is charged,
  // because it will not end.
  explicit Growth(std::int64_t stride = 16, std::int64_t enough = long_enough);
  // Begins with a sample after every call, because few calls that write a mebibyte and more fit into the time
  // of a soak.  Mapped memory is charged after 256 calls if each has kept a mebibyte.
  static Growth of_large_calls();

  // Notes the amounts after `calls` calls if it is time for a sample, and returns true if one was taken.
  bool note(std::int64_t calls) noexcept { return note(calls, amounts_now); }
  template <class Read>
  bool note(std::int64_t calls, Read read) noexcept {
    if (calls < due_) return false;
    add(calls, read());
    return true;
  }

  // Returns true if a resource grows steadily, so that more calls are worth their time.
  bool is_suspicious() const;
  // Returns what grows, with its amounts and its rate, in words.  Empty if nothing does, or if the growth may
  // still end: after fewer than `enough` calls only an amount that no working set has is charged.
  std::string charge() const;

 private:
  void add(std::int64_t calls, const Amounts& amounts) noexcept;
  std::optional<std::int64_t> growth_of(Resource resource) const;
  bool is_charged(Resource resource, std::int64_t growth) const;

  std::array<std::vector<std::int64_t>, resource_count> values_;
  std::vector<std::int64_t> calls_;
  Amounts first_{};
  std::int64_t stride_, enough_, due_;
  bool calls_are_large_ = false;
};

}  // namespace certile::conformance
