#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <utility>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The largest file of text that certile reads whole.
inline constexpr std::size_t largest_text = std::size_t{256} << 20;

// A descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int number() const noexcept { return number_; }

 private:
  int number_;
};

// Opens a file for reading that others put into a folder: a regular file, because a pipe can wait for ever,
// and a link shows another file.  `what` names it in messages.  Error: io.
Result<Descriptor> open_regular(const std::string& path, const std::string& what);
// Reads such a file, which holds no more than `most` bytes.  Error: io.
Result<std::string> read_regular(const std::string& path, const std::string& what, std::size_t most);

// Reads the whole file at `path`: a regular file, or a pipe or a device until its end.  `what` names it in
// messages: "the corpus".  Errors: io if the file cannot be read, holds more than `most` bytes, or if
// `interrupted`, which may be null, is set before its end.
Result<std::string> read_text(const std::string& path, const std::string& what,
                              const std::atomic<bool>* interrupted = nullptr,
                              std::size_t most = largest_text);

}  // namespace certile::conformance
