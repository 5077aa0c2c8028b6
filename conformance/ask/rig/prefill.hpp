#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace certile::conformance
