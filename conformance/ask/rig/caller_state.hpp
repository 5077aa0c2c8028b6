#pragma once
#include <sys/types.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/ask/rig/thread_state.hpp"

namespace certile::conformance {

// The state of a thread and its process that a call must not change.  Things that a library may set up once
// and keep are no changes of it: threads, descriptors, variables of the environment that it adds for itself,
// as runtimes do that register there, handlers of signals that had none, as the runtimes of Go and Java set
// them, and the stack for signals as the place where handlers run.
class CallerState {
 public:
  static CallerState now();

  // Returns the changes in words: "the umask, the locale".  Empty if there are none.  Compare with the state
  // before the last call: compared with that before the first, what was set up once may change again.
  std::string changed_since(const CallerState& earlier) const;

  // Gives this thread and its process settings that no program begins with, so that a call that puts back the
  // usual ones shows: a timer that runs for days, a locale, a umask, a blocked signal.
  static void make_unusual() noexcept;

  // Restores this state, except for the parts that a process cannot restore.
  void put_back() const noexcept;

 private:
  bool has_same_handlers(const CallerState& earlier) const noexcept;
  bool has_same_environment(const CallerState& earlier) const;
  void put_back_environment() const noexcept;

  ThreadState thread_;
  std::array<struct sigaction, NSIG> handlers_{};
  stack_t signal_stack_{};
  std::string locale_, folder_;
  mode_t mask_ = 0;
  std::vector<std::string> variables_;  // "NAME=VALUE"
  int confinement_ = 0, dumpable_ = 0;
  std::array<bool, 3> timers_{};  // that run: of the wall clock, of the process's time, and of both its times
  std::int64_t alarm_ = 0;        // when the first of them ends, in seconds of the steady clock
};

}  // namespace certile::conformance
