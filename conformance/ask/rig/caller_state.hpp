#pragma once
#include <sys/types.h>

#include <array>
#include <cfenv>
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

  // Makes everything as it was then, but for what a process cannot get back.
  void put_back() const noexcept;

 private:
  bool has_same_handlers(const CallerState& other) const noexcept;

  std::uint64_t floating_point_ = 0;  // modes, without the flags that computing sets
  std::fenv_t environment_{};         // and with them
  std::array<bool, NSIG> blocked_{};
  std::array<struct sigaction, NSIG> handlers_{};
  stack_t signal_stack_{};
  std::string locale_, folder_;
  mode_t mask_ = 0;
  int confinement_ = 0;
};

}  // namespace certile
