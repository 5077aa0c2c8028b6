#pragma once
#include <sys/types.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <string>

namespace certile {

// What a call has to leave as it found it, in its thread and in its process.  What a library may set up once
// and keep is not in it: threads, descriptors, the environment.
class CallerState {
 public:
  static CallerState now();

  // What is not as it was, in words: "the umask, the locale".  Empty where nothing is.
  std::string changed_since(const CallerState& earlier) const;

 private:
  std::uint64_t floating_point_ = 0;  // modes, without the flags that computing sets
  std::array<bool, NSIG> blocked_{};
  std::array<std::uintptr_t, NSIG> handlers_{};
  std::uintptr_t signal_stack_ = 0;
  std::string locale_, folder_;
  mode_t mask_ = 0;
  int confinement_ = 0;
};

}  // namespace certile
