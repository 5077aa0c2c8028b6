#include "conformance/text/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace certile::conformance {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;
constexpr int slice = 100;  // milliseconds between two checks of `interrupted`

constexpr int most_interruptions = 1000;  // of waits that end early, in total

// Reads until the end of a file, which `named` names: "the corpus my.tile".
Result<std::string> read_all(int file, const std::string& named, const std::atomic<bool>* interrupted,
                             std::size_t most) {
  const auto error = [&](const std::string& why) {
    return Error{Error::Code::io, "cannot read " + named + ": " + why};
  };
  std::string text;
  std::vector<char> piece(piece_size);
  int interruptions = 0;
  for (;;) {
    if (interrupted != nullptr && interrupted->load()) return error("it was interrupted");
    // A pipe without a writer reads as if it were at its end; poll distinguishes a pipe that never had a
    // writer.
    pollfd source{file, POLLIN, 0};
    const int ready = poll(&source, 1, slice);
    if (ready == 0) continue;
    // If every wait fails, the file is read without waiting.
    if (ready < 0 && errno == EINTR && ++interruptions < most_interruptions) continue;
    const ssize_t size = read(file, piece.data(), piece.size());
    if (size == 0) return text;
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return error(std::generic_category().message(errno));
    if (text.size() + static_cast<std::size_t>(size) > most)
      return error("it holds more than " + std::to_string(most >> 20) + " MiB; divide it");
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

// Opens a file.  Without O_NONBLOCK, opening a pipe that has no writer yet would block, and no interrupt
// would be noticed.
Result<Descriptor> open_file(const std::string& named, const std::string& path, int flags) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags));
  if (file.number() >= 0) return file;
  return Error{Error::Code::io, "cannot read " + named + ": " + std::generic_category().message(errno)};
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Result<Descriptor> open_regular(const std::string& path, const std::string& what) {
  const std::string named = what + " " + path;
  struct stat about {};
  if (lstat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode))
    return Error{Error::Code::io, "cannot read " + named + ": it is no regular file"};
  auto file = open_file(named, path, O_NOFOLLOW);
  // It may have been exchanged in between.
  if (file && (fstat(file->number(), &about) != 0 || !S_ISREG(about.st_mode)))
    return Error{Error::Code::io, "cannot read " + named + ": it is no regular file"};
  return file;
}

Result<std::string> read_regular(const std::string& path, const std::string& what, std::size_t most) {
  TRY(const auto file, open_regular(path, what));
  return read_all(file.number(), what + " " + path, nullptr, most);
}

Result<std::string> read_text(const std::string& path, const std::string& what,
                              const std::atomic<bool>* interrupted, std::size_t most) {
  const std::string named = what + " " + path;
  TRY(const auto file, open_file(named, path, 0));
  return read_all(file.number(), named, interrupted, most);
}

}  // namespace certile::conformance
