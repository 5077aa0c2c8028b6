#include "conformance/text/interrupt.hpp"

#include <csignal>

namespace certile::conformance {
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

}  // namespace certile::conformance
