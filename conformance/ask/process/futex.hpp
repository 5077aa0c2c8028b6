#pragma once
#include <atomic>
#include <cstdint>

namespace certile::conformance {

// Waits on a word that several processes map; the standard library's waits work only within one process.

// Sleeps while the word is `value`, for at most `milliseconds`; may wake early.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int milliseconds) noexcept;
// Adds 1 to the word and wakes its sleepers.
void futex_ring(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace certile::conformance
