#pragma once
#include <sched.h>

#include <array>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <string>

namespace certile::conformance {

// The settings of one thread that a call must not change.  Each thread may read its own while others call.
class ThreadState {
 public:
  // Returns the settings of the calling thread.
  static ThreadState now();

  // Returns the changes in words: "the floating-point modes, the blocked signals".  Empty if there are none.
  std::string changed_since(const ThreadState& earlier) const;

  // Gives the calling thread these settings.
  void put_back() const noexcept;

 private:
  std::uint64_t floating_point_ = 0;  // modes, without the flags that computing sets
  std::fenv_t environment_{};         // modes and flags
  std::array<bool, NSIG> blocked_{};  // by the number of the signal
  locale_t locale_{};
  std::array<char, 16> name_{};
  cpu_set_t processors_{};
  int policy_ = 0, priority_ = 0, nice_ = 0;
};

}  // namespace certile::conformance
