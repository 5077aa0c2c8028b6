#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace certile {

// The content of a string tensor's output, flattened: a u64 size per element, then all characters.  A view
// that holds nothing but `pattern` was never written and is not followed; sizes and characters together take
// at most `limit` bytes.  Reading through a wild view faults, which the caller's signal handler takes for
// what it is.
std::vector<std::byte> flatten_strings(std::span<const std::byte> views, std::int64_t count,
                                       std::byte pattern, std::size_t limit);

// True where a view's size or pointer was left alone in both runs: it holds `pattern` now and held the
// opposite one in `earlier`.  Of a size one such byte is enough, since right sizes are the same in both runs;
// a pointer may hold any byte by chance.
bool holds_both_poisons(std::span<const std::byte> earlier, std::span<const std::byte> views,
                        std::byte pattern);

}  // namespace certile
