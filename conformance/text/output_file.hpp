#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile::conformance {

// A file that is written from the front; errors are io, one sentence with the file and the system's reason.
class OutputFile {
 public:
  // Creates or empties `path`, which no other process may write through an OutputFile meanwhile.  "-", and
  // any path that leads to the file behind standard output, continues standard output.
  static Result<OutputFile> open(const std::string& path) { return open(path, path); }
  // Does the same, with `named` in errors.
  static Result<OutputFile> open(const std::string& path, const std::string& named);
  // Opens the regular file at `path`, keeps the bytes at its front, which `on_bytes` is shown, and continues
  // after them.
  static Result<OutputFile> reopen(const std::string& path, std::uint64_t bytes,
                                   const std::function<void(std::string_view)>& on_bytes);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  Result<Done> write(std::string_view bytes);
  // Waits until a regular file is on the disk.
  Result<Done> sync();

 private:
  OutputFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::string path_;
};

// Writes a whole file so that no reader sees a part of it: a regular file, or one that does not exist yet, is
// written under another name in the same folder and then renamed.  Anything else (a pipe, a terminal, "-") is
// written directly.
Result<Done> write_whole_file(const std::string& path, std::string_view bytes);

// Returns the error that write_whole_file would meet at once, so that no long run comes before it.
Result<Done> check_place(const std::string& path);

}  // namespace certile::conformance
