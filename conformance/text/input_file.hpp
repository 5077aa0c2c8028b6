#pragma once
#include <atomic>
#include <cstddef>
#include <string>

#include "reference/values/result.hpp"

namespace certile {

// The most that a file of text that certile reads whole may hold.
inline constexpr std::size_t largest_text = std::size_t{256} << 20;

// Reads the whole file at `path`: a regular file, or what a pipe or a device gives until its end.  `what` is
// how messages call it: "the corpus".  Errors: io where the file cannot be read, where it holds more than
// `largest_text`, or where `interrupted`, which may be null, is set before its end.
Result<std::string> read_text(const std::string& path, const std::string& what,
                              const std::atomic<bool>* interrupted = nullptr);

}  // namespace certile
