#include "conformance/ask/rig/caller_state.hpp"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <climits>
#include <clocale>
#include <cstddef>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace certile::conformance {
namespace {

#if defined(__x86_64__)
// Returns the modes of the older unit, which `long double` uses: precision, rounding, trapping, and which
// registers are in use; all of them are after 64-bit vectors without `emms`.
std::uint64_t modes_of_x87() {
  struct {
    std::uint16_t control, unused, status, unused_too, tags, rest[9];
  } environment;
  asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
  return std::uint64_t{environment.control} << 16 | environment.tags;
}
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

// Returns the handler as a number, whichever of its two forms it has.
std::uintptr_t handler_of(const struct sigaction& action) {
  return reinterpret_cast<std::uintptr_t>(action.sa_handler);
}

std::uintptr_t address_of(const stack_t& stack) {
  return (stack.ss_flags & SS_DISABLE) != 0 ? 0 : reinterpret_cast<std::uintptr_t>(stack.ss_sp);
}

}  // namespace

CallerState CallerState::now() {
  CallerState state;
  state.floating_point_ = floating_point_modes();
  std::fegetenv(&state.environment_);
  sigset_t blocked;
  sigemptyset(&blocked);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  for (int number = 1; number < NSIG; ++number) {
    const auto index = static_cast<std::size_t>(number);
    state.blocked_[index] = sigismember(&blocked, number) == 1;
    // For two signals the call fails, because the C library reserves them.
    sigaction(number, nullptr, &state.handlers_[index]);
  }
  sigaltstack(nullptr, &state.signal_stack_);
  if (const char* locale = std::setlocale(LC_ALL, nullptr)) state.locale_ = locale;
  std::array<char, PATH_MAX> folder{};
  if (getcwd(folder.data(), folder.size()) != nullptr) state.folder_ = folder.data();
  state.mask_ = umask(0);
  umask(state.mask_);
  state.confinement_ = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
  return state;
}

bool CallerState::has_same_handlers(const CallerState& other) const noexcept {
  return std::ranges::equal(handlers_, other.handlers_, std::ranges::equal_to{}, handler_of, handler_of);
}

std::string CallerState::changed_since(const CallerState& earlier) const {
  // If seccomp refuses system calls, everything else would differ too.
  if (confinement_ != earlier.confinement_) return "the system calls that its process may make";
  std::string changed;
  const auto note = [&changed](bool differs, const char* what) {
    if (differs) changed += (changed.empty() ? "" : ", ") + std::string(what);
  };
  note(floating_point_ != earlier.floating_point_, "the floating-point modes");
  note(blocked_ != earlier.blocked_, "the blocked signals");
  note(!has_same_handlers(earlier), "the handlers of signals");
  note(address_of(signal_stack_) != address_of(earlier.signal_stack_), "the stack for signals");
  note(locale_ != earlier.locale_, "the locale");
  note(folder_ != earlier.folder_, "the working directory");
  note(mask_ != earlier.mask_, "the umask");
  return changed;
}

void CallerState::put_back() const noexcept {
#if defined(__x86_64__)
  asm volatile("emms");
#endif
  std::fesetenv(&environment_);
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int number = 1; number < NSIG; ++number) {
    const auto index = static_cast<std::size_t>(number);
    sigaction(number, &handlers_[index], nullptr);
    if (blocked_[index]) sigaddset(&blocked, number);
  }
  sigaltstack(&signal_stack_, nullptr);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  std::setlocale(LC_ALL, locale_.c_str());
  static_cast<void>(!chdir(folder_.c_str()));
  umask(mask_);
}

}  // namespace certile::conformance
