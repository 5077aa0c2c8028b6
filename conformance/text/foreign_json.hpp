#pragma once
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

using Json = nlohmann::ordered_json;

// The limits of JSON that others wrote: the library calls itself for each level, and searches an object for
// each of its members.
inline constexpr std::size_t deepest_json = 64;
inline constexpr std::size_t most_json_members = 1'000;  // of an object
inline constexpr std::size_t most_json_values = std::size_t{1} << 20;

// Parses JSON, within these limits.  Returns a discarded value for any other text.  Nothing else parses JSON,
// which tools/check_structure.py checks.
Json foreign_json(std::string_view text);

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
