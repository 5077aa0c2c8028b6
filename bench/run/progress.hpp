#pragma once
#include <cstddef>
#include <ostream>
#include <string>

#include "conformance/text/printable.hpp"

namespace certile::bench {

// The progress of a run: notes on any stream; only on a terminal, how far the run is, in one line
// that each call overwrites.
class Progress {
 public:
  Progress(std::ostream& out, bool is_terminal, std::size_t columns)
      : out_(out), is_terminal_(is_terminal), columns_(columns) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Writes a line that stays, which the reader must not miss.
  void note(const std::string& text) {
    clear();
    out_ << start << text << std::endl;
  }
  // Writes the line that is overwritten, shortened to the terminal.
  void show(const std::string& text) {
    if (!is_terminal_) return;
    // Leaves a column for the ellipsis, and one free, because some terminals wrap after the last.
    out_ << "\r\033[K" << start << conformance::shortened(text, columns_ - start.size() - 2) << std::flush;
    is_shown_ = true;
  }
  // Removes the line that is overwritten, before something else is printed.
  void clear() {
    if (is_shown_) out_ << "\r\033[K" << std::flush;
    is_shown_ = false;
  }

 private:
  static constexpr std::string_view start = "certile-bench: ";

  std::ostream& out_;
  bool is_terminal_, is_shown_ = false;
  std::size_t columns_;
};

}  // namespace certile::bench
