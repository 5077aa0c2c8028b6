#pragma once
#include <chrono>
#include <cstddef>

namespace certile::conformance {

// The progress of a kill matrix, on standard error: a line that is updated on a terminal, else a line every
// ten seconds.
class MutantProgress {
 public:
  MutantProgress();
  ~MutantProgress();
  MutantProgress(const MutantProgress&) = delete;
  MutantProgress& operator=(const MutantProgress&) = delete;

  void show(std::size_t asked, std::size_t all);
  // Removes the line from the terminal, before something else is printed.
  void clear();

 private:
  bool terminal_, shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace certile::conformance
