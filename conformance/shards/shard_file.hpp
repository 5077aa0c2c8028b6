#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/records/run_header.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A file with the records of one shard.
struct ShardFile {
  std::string path;
  RunHeader header;
  RunFooter footer;
  std::int64_t records = 0;  // of planned cases
};

// Reads the header of a file whose first run is that of a shard.  Errors: io; bad_literal with the file.
Result<ShardFile> read_shard_header(const std::string& path);

// Returns the offsets of the lines of a file, without the first one.  Error: io.
Result<std::vector<std::uint64_t>> offsets_of_lines(const std::string& path);

// A reader of lines at any place of a file, which is quickest in their order.  It keeps no descriptor,
// because there may be more files than a process may open.
class LineReader {
 public:
  explicit LineReader(std::string path) : path_(std::move(path)) {}
  // Returns the line that begins there, without its newline, until the next call.  Error: io.
  Result<std::string_view> at(std::uint64_t offset);

 private:
  std::string path_, buffer_;
  std::uint64_t begin_ = 0;  // of the buffer, in the file
};

}  // namespace certile::conformance
