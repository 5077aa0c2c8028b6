#pragma once
#include <chrono>
#include <ctime>

namespace certile::conformance {

// A limit in seconds.  Time of processors is what a busy machine does not stretch; the wall clock stops calls
// that wait: it counts where they compute for less than a tenth of it, which no load of a few loops brings
// about.
struct Patience {
  double processors, wall;
};

// The time since it was made, which all threads of the process share.
class Stopwatch {
 public:
  bool exceeds(const Patience& patience) const noexcept {
    const double computed = static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return computed >= patience.processors || (wall >= patience.wall && computed < wall / 10);
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::clock_t processor_begin_ = std::clock();
};

}  // namespace certile::conformance
