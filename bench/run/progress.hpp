#pragma once
#include <cstddef>
#include <ostream>
#include <string>

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
  void note(const std::string& text);
  // Writes a line that stays, on a terminal only: somebody waits there.
  void plan(const std::string& text);
  // Writes the line that is overwritten, shortened to the terminal.
  void show(const std::string& text);
  // Removes the line that is overwritten, before something else is printed.
  void clear();

 private:
  std::ostream& out_;
  bool is_terminal_, is_shown_ = false;
  std::size_t columns_;
};

}  // namespace certile::bench
