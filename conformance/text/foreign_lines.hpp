#pragma once
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The lines of a file that others wrote, each read once, and within limits.
class ForeignLines {
 public:
  static constexpr std::size_t longest_line = std::size_t{4} << 20;
  static constexpr std::uint64_t most_bytes = std::uint64_t{16} << 30;

  // Asks the stream for exceptions, because only they have a reason.  `named` is the file in messages.
  ForeignLines(std::istream& file, std::string named, std::uint64_t most = most_bytes);

  // Reads the next line, without its newline.  Returns false at the end of the file.  Errors: io;
  // bad_literal for a line without a newline, which was cut, and beyond the limits.
  Result<bool> next(std::string& line);
  // Returns a sentence about the line that was read last: "FILE:3: why".
  Error wrong(const std::string& why) const;

 private:
  std::istream& file_;
  std::string named_;
  std::uint64_t left_;  // bytes that may still come
  std::int64_t number_ = 0;
  std::vector<char> piece_;
};

}  // namespace certile::conformance
