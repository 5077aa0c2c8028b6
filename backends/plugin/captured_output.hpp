#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace certile::backends {

// The beginning and the end of what a process printed, without the middle: what a program says first names
// the cause of most failures, and what it says last is the rest of them.  Processes may share one, and a
// hostile one may have changed it, so every number is checked before it is used.
class CapturedOutput {
 public:
  static constexpr std::size_t half = 4096;  // bytes kept of each end

  void clear() noexcept;
  void append(std::span<const char> text) noexcept;
  // Returns all of it; or whole lines of both ends, as far as lines are short enough, and between them a line
  // that counts the bytes left out.
  std::string text() const;
  // Returns the number of bytes ever appended, those before the last clear() included.
  std::uint64_t total() const noexcept { return total_; }

 private:
  std::uint32_t head_used_ = 0, tail_used_ = 0;
  std::uint64_t left_out_ = 0;  // bytes
  std::uint64_t total_ = 0;
  std::array<char, half> head_{}, tail_{};
};

// Returns "it printed: a line", or "it printed:" and several lines, each indented; nothing for blank text.
std::string printed_words(std::string_view printed);

}  // namespace certile::backends
