#include "conformance/text/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace certile::conformance {

int graver(int left, int right) noexcept {
  constexpr std::array<int, 6> gravest_first{exit_interrupted,    exit_own_failure, exit_not_loaded,
                                             exit_not_conformant, exit_nothing_run, exit_conformant};
  return *std::find_if(gravest_first.begin(), gravest_first.end(),
                       [&](int code) { return code == left || code == right; });
}

namespace {

std::atomic<bool> asked_to_stop{false};

void stop(int signal) {
  asked_to_stop.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupted() {
  return asked_to_stop;
}

void watch_for_interrupts() {
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  // A reader that is gone and a file-size limit become errors of the write, whose message names the file.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void hold_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // Gets this number, the lowest free one, because all below it are open.  The unused direction makes
    // printing still fail.
    const int wrong_direction = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", wrong_direction) < 0) return;
  }
}

bool is_terminal(int descriptor) noexcept {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

bool wants_colour(int descriptor) noexcept {
  return is_terminal(descriptor) && std::getenv("NO_COLOR") == nullptr;
}

std::size_t columns_of(int descriptor, std::size_t otherwise) noexcept {
  constexpr std::size_t least = 60;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return std::max<std::size_t>(least, size.ws_col);
}

}  // namespace certile::conformance
