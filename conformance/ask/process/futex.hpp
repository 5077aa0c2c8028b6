#pragma once
#include <atomic>
#include <cstdint>

namespace certile {

// Waiting on a word that several processes map; the standard library's waits end at the process.

// Sleeps while the word is `value`, at most so long; may wake early.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int milliseconds) noexcept;
// Adds 1 to the word and wakes whoever sleeps on it.
void futex_ring(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace certile
