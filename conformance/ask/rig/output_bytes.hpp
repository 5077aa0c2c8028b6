#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace certile::conformance {

// Compares as memcmp does, which the standard algorithms do not for std::byte: they take one after the other.
bool same_bytes(std::span<const std::byte> left, std::span<const std::byte> right) noexcept;

// Returns the content of a string tensor's output: a u64 size per element, then all characters.  A view that
// holds only `pattern` was never written and is not followed; sizes and characters together take at most
// `limit` bytes.  Reading through a wild view faults, and the caller's signal handler explains the fault.
std::vector<std::byte> flatten_strings(std::span<const std::byte> views, std::int64_t count,
                                       std::byte pattern, std::size_t limit);

// Returns true if a view's size or pointer is unwritten in both runs: it holds `pattern` now and held the
// opposite one in `earlier`.  One such byte of a size is enough, because right sizes are equal in both runs;
// a pointer may hold any byte by chance.
bool holds_both_poisons(std::span<const std::byte> earlier, std::span<const std::byte> views,
                        std::byte pattern);

}  // namespace certile::conformance
