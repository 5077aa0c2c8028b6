#include "conformance/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

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
  const std::string plainest =
      moving || !plainest_ ? "" : fmt::format(", plainest {} [{}]", printable(plainest_->literal), clause_);
  fmt::print(stderr, "{}{}: {} of {} cases run, {} failed{}{}", moving ? "\r\033[K" : "", backend_, run_,
             planned_, failed_, plainest, moving ? "" : "\n");
  std::fflush(stderr);
  shown_ = moving;
}

void Progress::add(const Record& record) {
  ++seen_;
  if (record.now().verdict != Verdict::not_run) ++run_;
  if (record.now().verdict == Verdict::fail) {
    ++failed_;
    Plainness plainness = plainness_of(record.literal);
    if (!plainest_ || plainness < *plainest_) {
      plainest_ = std::move(plainness);
      clause_ = printable(record.now().charged);
    }
  }
  constexpr std::int64_t cases_between_looks = 64;
  if (seen_ % cases_between_looks != 0) return;
  const auto now = Clock::now();
  if (now < next_) return;
  show(terminal_);
  next_ = now + (terminal_ ? Clock::duration(moving_interval) : Clock::duration(line_interval));
}

}  // namespace certile::conformance
