#include "bench/run/progress.hpp"

#include <string_view>

#include "conformance/text/printable.hpp"

namespace certile::bench {
namespace {

constexpr std::string_view start = "certile-bench: ";

}  // namespace

void Progress::note(const std::string& text) {
  clear();
  out_ << start << text << std::endl;
}

void Progress::plan(const std::string& text) {
  if (is_terminal_) note(text);
}

void Progress::show(const std::string& text) {
  if (!is_terminal_) return;
  // One column is for the ellipsis, and one stays free, because some terminals wrap after the last.
  out_ << "\r\033[K" << start << conformance::shortened(text, columns_ - start.size() - 2) << std::flush;
  is_shown_ = true;
}

void Progress::clear() {
  if (is_shown_) out_ << "\r\033[K" << std::flush;
  is_shown_ = false;
}

}  // namespace certile::bench
