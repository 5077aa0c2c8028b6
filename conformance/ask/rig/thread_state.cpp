#include "conformance/ask/rig/thread_state.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstddef>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace certile::conformance {
namespace {

// The bits of `floating_point_modes` that say which registers of the older unit are in use.
#if defined(__x86_64__)
constexpr std::uint64_t in_use = std::uint64_t{0xffff} << 16;

// Returns the modes of the older unit, which `long double` uses: precision, rounding, trapping, and which
// registers are in use; all of them are after 64-bit vectors without `emms`.
std::uint64_t modes_of_x87() {
  struct {
    std::uint16_t control, unused, status, unused_too, tags, rest[9];
  } environment;
  asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
  return std::uint64_t{environment.control} << 16 | environment.tags;
}
#else
constexpr std::uint64_t in_use = 0;
#endif

// Returns the modes of rounding, flushing of subnormal numbers, and trapping.
std::uint64_t floating_point_modes() {
  const auto rounding = static_cast<std::uint64_t>(std::fegetround());
#if defined(__x86_64__)
  constexpr std::uint64_t flags = 0x3f;
  return rounding << 48 | modes_of_x87() << 16 | (_mm_getcsr() & ~flags);
#elif defined(__aarch64__)
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return rounding << 32 ^ control;
#else
  return rounding;
#endif
}

}  // namespace

ThreadState ThreadState::now() {
  ThreadState state;
  state.floating_point_ = floating_point_modes();
  std::fegetenv(&state.environment_);
  sigset_t blocked;
  sigemptyset(&blocked);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  for (int number = 1; number < NSIG; ++number)
    state.blocked_[static_cast<std::size_t>(number)] = sigismember(&blocked, number) == 1;
  state.locale_ = uselocale(nullptr);
  prctl(PR_GET_NAME, state.name_.data(), 0, 0, 0);
  sched_getaffinity(0, sizeof state.processors_, &state.processors_);
  state.policy_ = sched_getscheduler(0);
  sched_param priority{};
  if (sched_getparam(0, &priority) == 0) state.priority_ = priority.sched_priority;
  state.nice_ = getpriority(PRIO_PROCESS, 0);
  return state;
}

std::string ThreadState::changed_since(const ThreadState& earlier) const {
  std::string changed;
  const auto note = [&changed](bool differs, const char* what) {
    if (differs) changed += (changed.empty() ? "" : ", ") + std::string(what);
  };
  const std::uint64_t modes = floating_point_ ^ earlier.floating_point_;
  note((modes & ~in_use) != 0, "the floating-point modes");
  note((modes & in_use) != 0, "the x87 registers in use (MMX instructions without emms?)");
  note(blocked_ != earlier.blocked_, "the blocked signals");
  note(locale_ != earlier.locale_, "the thread's locale");
  note(name_ != earlier.name_, "the thread's name");
  note(!CPU_EQUAL(&processors_, &earlier.processors_), "the processors that the thread may use");
  note(policy_ != earlier.policy_ || priority_ != earlier.priority_ || nice_ != earlier.nice_,
       "the thread's priority");
  return changed;
}

void ThreadState::put_back() const noexcept {
#if defined(__x86_64__)
  asm volatile("emms");
#endif
  std::fesetenv(&environment_);
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int number = 1; number < NSIG; ++number)
    if (blocked_[static_cast<std::size_t>(number)]) sigaddset(&blocked, number);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  uselocale(locale_);
  prctl(PR_SET_NAME, name_.data(), 0, 0, 0);
  sched_setaffinity(0, sizeof processors_, &processors_);
  const sched_param priority{priority_};
  sched_setscheduler(0, policy_, &priority);
  setpriority(PRIO_PROCESS, 0, nice_);
}

}  // namespace certile::conformance
