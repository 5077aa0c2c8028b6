#include "conformance/shards/shard_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "conformance/records/record_json.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

Error unreadable(const std::string& path) {
  return {Error::Code::io, "cannot read " + printable(path) + ": " + std::strerror(errno)};
}

}  // namespace

Result<ShardFile> read_shard_header(const std::string& path) {
  const auto bad = [&path](const std::string& why) {
    return Error{Error::Code::bad_literal, printable(path) + " " + printable(why)};
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path);
  ForeignLines lines(file, path);
  std::string line;
  const auto read = lines.next(line);
  if (!read) return read.error();
  if (!*read) return bad("is empty");
  const Json json = foreign_json(line);
  if (json.is_discarded() || !json.is_object() || !json.contains("header"))
    return bad("does not begin with the header of a run");
  auto header = header_from_json(json);
  if (!header) return bad("cannot be merged: " + header.error().what);
  if (!header->shard) return bad("has the records of a whole run, not of a shard");
  return ShardFile{path, *std::move(header), {}};
}

Result<std::vector<std::uint64_t>> offsets_of_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path);
  std::vector<std::uint64_t> offsets;
  std::uint64_t offset = 0;
  ForeignLines lines(file, path);
  std::string line;
  for (auto read = lines.next(line);; read = lines.next(line)) {
    if (!read) return read.error();
    if (!*read) return offsets;
    if (offset > 0) offsets.push_back(offset);
    offset += line.size() + 1;
  }
}

Result<std::string_view> LineReader::at(std::uint64_t offset) {
  for (std::size_t wanted = std::size_t{1} << 14;; wanted *= 2) {
    if (offset >= begin_ && offset < begin_ + buffer_.size()) {
      const std::string_view from = std::string_view(buffer_).substr(offset - begin_);
      if (const std::size_t end = from.find('\n'); end != std::string_view::npos) return from.substr(0, end);
    }
    std::ifstream file(path_, std::ios::binary);
    if (!file || !file.seekg(static_cast<std::streamoff>(offset))) return unreadable(path_);
    buffer_.resize(wanted);
    file.read(buffer_.data(), static_cast<std::streamsize>(wanted));
    buffer_.resize(static_cast<std::size_t>(file.gcount()));
    begin_ = offset;
    const bool is_last = buffer_.size() < wanted || wanted > ForeignLines::longest_line;
    if (is_last && buffer_.find('\n') == std::string::npos)
      return Error{Error::Code::io, printable(path_) + " was changed while it was read"};
  }
}

}  // namespace certile::conformance
