#include "conformance/text/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace certile::conformance {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;
constexpr int slice = 100;  // milliseconds between two checks of `interrupted`

constexpr int most_interruptions = 1000;  // of waits that end early, in total

struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

}  // namespace

Result<std::string> read_text(const std::string& path, const std::string& what,
                              const std::atomic<bool>* interrupted) {
  const auto error = [&](const std::string& why) {
    return Error{Error::Code::io, "cannot read " + what + " " + path + ": " + why};
  };
  const auto unreadable = [&] { return error(std::generic_category().message(errno)); };
  // Without O_NONBLOCK, opening a pipe that has no writer yet would block, and no interrupt would be noticed.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) return unreadable();
  std::string text;
  std::vector<char> piece(piece_size);
  int interruptions = 0;
  for (;;) {
    if (interrupted != nullptr && interrupted->load()) return error("it was interrupted");
    // A pipe without a writer reads as if it were at its end; poll distinguishes a pipe that never had a
    // writer.
    pollfd source{file.number, POLLIN, 0};
    const int ready = poll(&source, 1, slice);
    if (ready == 0) continue;
    // If every wait fails, the file is read without waiting.
    if (ready < 0 && errno == EINTR && ++interruptions < most_interruptions) continue;
    const ssize_t size = read(file.number, piece.data(), piece.size());
    if (size == 0) return text;
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return unreadable();
    if (text.size() + static_cast<std::size_t>(size) > largest_text)
      return error("it holds more than " + std::to_string(largest_text >> 20) + " MiB; divide it");
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace certile::conformance
