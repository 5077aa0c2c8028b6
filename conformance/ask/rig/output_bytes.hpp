#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// [CT-WRITE] The content of an output before a third run, in a share of the calls: an implementation may look
// at it, and takes neither pattern of the first two runs for something that it knows.
enum class Prefill : std::uint8_t { none, zeros_first, zeros_behind, right_ends };

// Chooses one for the call, the same each time that it is made; none for most calls, and for large outputs.
Prefill prefill_of(const Request& request, std::size_t output_size) noexcept;

// Changes an output that holds the call's answer into what it holds before the run; the bytes that the words
// do not speak of differ from the answer.
void prefill(Prefill wanted, std::span<std::byte> answer) noexcept;

// Returns "zeros first, and other bytes behind them".
const char* in_words(Prefill wanted) noexcept;

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
