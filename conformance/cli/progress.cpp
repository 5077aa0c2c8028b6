#include "conformance/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto moving_interval = std::chrono::milliseconds(100);
constexpr auto line_interval = std::chrono::seconds(10);

}  // namespace

Progress::Progress(const std::string& backend, std::int64_t planned)
    : backend_(printable(backend)),
      planned_(planned),
      terminal_(is_terminal(STDERR_FILENO)),
      next_(Clock::now() + (terminal_ ? Clock::duration(moving_interval) : Clock::duration(line_interval))) {}

Progress::~Progress() {
  clear();
}

void Progress::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

void Progress::show(bool moving) {
  fmt::print(stderr, "{}{}: {} of {} cases, {} failed{}", moving ? "\r\033[K" : "", backend_, done_, planned_,
             failed_, moving ? "" : "\n");
  std::fflush(stderr);
  shown_ = moving;
}

void Progress::add(const Record& record) {
  ++done_;
  if (record.now().verdict == Verdict::fail && ++failed_ == 1) {
    clear();
    fmt::print(stderr, "{}: failing: {} [{}]\n", backend_, printable(record.literal),
               printable(record.now().charged));
  }
  constexpr std::int64_t cases_between_looks = 64;
  if (done_ % cases_between_looks != 0) return;
  const auto now = Clock::now();
  if (now < next_) return;
  show(terminal_);
  next_ = now + (terminal_ ? Clock::duration(moving_interval) : Clock::duration(line_interval));
}

}  // namespace certile::conformance
