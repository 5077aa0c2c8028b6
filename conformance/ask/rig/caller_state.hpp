#pragma once
#include <sys/types.h>

#include <array>
#include <cfenv>
#include <csignal>
#include <cstdint>
#include <string>

namespace certile::conformance {

// The state of a thread and its process that a call must not change.  Things that a library may set up once
// and keep are not part of it: threads, descriptors, the environment.
class CallerState {
 public:
  static CallerState now();

  // Returns the changes in words: "the umask, the locale".  Empty if there are none.
  std::string changed_since(const CallerState& earlier) const;

  // Restores this state, except for the parts that a process cannot restore.
  void put_back() const noexcept;

 private:
  bool has_same_handlers(const CallerState& other) const noexcept;

  std::uint64_t floating_point_ = 0;  // modes, without the flags that computing sets
  std::fenv_t environment_{};         // modes and flags
  std::array<bool, NSIG> blocked_{};
  std::array<struct sigaction, NSIG> handlers_{};
  stack_t signal_stack_{};
  std::string locale_, folder_;
  mode_t mask_ = 0;
  int confinement_ = 0;
};

}  // namespace certile::conformance
