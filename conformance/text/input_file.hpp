#pragma once
#include <atomic>
#include <cstddef>
#include <string>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The largest file of text that certile reads whole.
inline constexpr std::size_t largest_text = std::size_t{256} << 20;

// Reads the whole file at `path`: a regular file, or a pipe or a device until its end.  `what` names it in
// messages: "the corpus".  Errors: io if the file cannot be read, holds more than `largest_text`, or if
// `interrupted`, which may be null, is set before its end.
Result<std::string> read_text(const std::string& path, const std::string& what,
                              const std::atomic<bool>* interrupted = nullptr);

}  // namespace certile::conformance
