#include "conformance/cli/mutant_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "conformance/text/terminal.hpp"

namespace certile::conformance {
namespace {

constexpr std::chrono::seconds mutant_line_interval(10);

}  // namespace

MutantProgress::MutantProgress()
    : terminal_(is_terminal(STDERR_FILENO)), next_(std::chrono::steady_clock::now() + mutant_line_interval) {}

MutantProgress::~MutantProgress() {
  clear();
}

void MutantProgress::show(std::size_t asked, std::size_t all) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ && now < next_) return;
  next_ = now + mutant_line_interval;
  fmt::print(stderr, "{}{} of {} mutants asked{}", terminal_ ? "\r\033[K" : "", asked, all,
             terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = terminal_;
}

void MutantProgress::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace certile::conformance
