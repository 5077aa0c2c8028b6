#include "conformance/ask/rig/caller_state.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <climits>
#include <clocale>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

namespace certile::conformance {
namespace {

// Returns the handler as a number, whichever of its two forms it has.
std::uintptr_t handler_of(const struct sigaction& action) {
  return reinterpret_cast<std::uintptr_t>(action.sa_handler);
}

// Returns true if a signal that is `now` handled in this way was handled in the same way `earlier`, or in the
// default way, which a library may replace once.  An ignored signal is not handled, but programs that write
// to pipes, and so runtimes of languages, ignore SIGPIPE.
bool has_same_handler(int number, const struct sigaction& now, const struct sigaction& earlier) {
  if (handler_of(now) == handler_of(earlier)) return true;
  return earlier.sa_handler == SIG_DFL && (now.sa_handler != SIG_IGN || number == SIGPIPE);
}

// Returns true if a handler that is the same is called in the same way: restarting what it interrupts, with
// the same signals blocked, on the same stack or now on the one for signals.
bool has_same_manner(const struct sigaction& now, const struct sigaction& earlier) {
  // Where no handler was called, nothing depends on the manner, and putting a default back changes it.
  if (earlier.sa_handler == SIG_DFL || earlier.sa_handler == SIG_IGN) return true;
  // The C library adds this flag, which is its own, to each handler that is set.
  constexpr int restorer = 0x04000000;
  const int added = now.sa_flags & ~earlier.sa_flags & ~restorer,
            removed = earlier.sa_flags & ~now.sa_flags & ~restorer;
  // The system fills only as many bits as there are signals.
  return (added & ~SA_ONSTACK) == 0 && removed == 0 &&
         std::memcmp(&now.sa_mask, &earlier.sa_mask, (NSIG - 1) / 8) == 0;
}

constexpr std::array timer_kinds{ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
constexpr std::int64_t slack_of_alarm = 10;  // seconds by which two readings of one alarm may differ

std::int64_t seconds_now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

std::string_view variable_name(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

// Returns true for variables that the C library reads in calls of others, so that adding one changes these.
bool is_read_by_all(std::string_view variable) {
  const std::string_view name = variable_name(variable);
  constexpr std::array<std::string_view, 7> read{"TZ", "TZDIR", "LANG", "LANGUAGE", "PATH", "HOME", "TMPDIR"};
  return name.starts_with("LC_") || std::ranges::find(read, name) != read.end();
}

std::uintptr_t address_of(const stack_t& stack) {
  return (stack.ss_flags & SS_DISABLE) != 0 ? 0 : reinterpret_cast<std::uintptr_t>(stack.ss_sp);
}

}  // namespace

CallerState CallerState::now() {
  CallerState state;
  state.thread_ = ThreadState::now();
  // For two signals the call fails, because the C library reserves them.
  for (int number = 1; number < NSIG; ++number)
    sigaction(number, nullptr, &state.handlers_[static_cast<std::size_t>(number)]);
  sigaltstack(nullptr, &state.signal_stack_);
  if (const char* locale = std::setlocale(LC_ALL, nullptr)) state.locale_ = locale;
  std::array<char, PATH_MAX> folder{};
  if (getcwd(folder.data(), folder.size()) != nullptr) state.folder_ = folder.data();
  state.mask_ = umask(0);
  umask(state.mask_);
  for (char** each = environ; each != nullptr && *each != nullptr; ++each)
    state.variables_.emplace_back(*each);
  state.dumpable_ = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
  for (std::size_t index = 0; index < timer_kinds.size(); ++index) {
    itimerval timer{};
    getitimer(timer_kinds[index], &timer);
    state.timers_[index] = timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
    if (index == 0 && state.timers_[index]) state.alarm_ = seconds_now() + timer.it_value.tv_sec;
  }
  state.confinement_ = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
  return state;
}

void CallerState::make_unusual() noexcept {
  constexpr std::int64_t days = 10 * 24 * 3600;
  const itimerval alarm{{}, {days, 0}};
  setitimer(ITIMER_REAL, &alarm, nullptr);
  std::setlocale(LC_ALL, "C.UTF-8");
  umask(027);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGWINCH);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
}

bool CallerState::has_same_handlers(const CallerState& earlier) const noexcept {
  for (int number = 1; number < NSIG; ++number) {
    const auto index = static_cast<std::size_t>(number);
    if (!has_same_handler(number, handlers_[index], earlier.handlers_[index])) return false;
  }
  return true;
}

// Compares without variables that were added, unless everyone reads them.
bool CallerState::has_same_environment(const CallerState& earlier) const {
  const auto has = [](const std::vector<std::string>& variables, const std::string& variable) {
    return std::ranges::find(variables, variable) != variables.end();
  };
  return std::ranges::all_of(earlier.variables_, [&](const auto& each) { return has(variables_, each); }) &&
         std::ranges::all_of(variables_, [&](const std::string& each) {
           return !is_read_by_all(each) || has(earlier.variables_, each);
         });
}

std::string CallerState::changed_since(const CallerState& earlier) const {
  // If seccomp refuses system calls, everything else would differ too.
  if (confinement_ != earlier.confinement_) return "the system calls that its process may make";
  std::string changed = thread_.changed_since(earlier.thread_);
  const auto note = [&changed](bool differs, const char* what) {
    if (differs) changed += (changed.empty() ? "" : ", ") + std::string(what);
  };
  note(!has_same_handlers(earlier), "the handlers of signals");
  note(has_same_handlers(earlier) && !std::ranges::equal(handlers_, earlier.handlers_, has_same_manner),
       "the flags or masks of signal handlers");
  note(address_of(signal_stack_) != address_of(earlier.signal_stack_), "the stack for signals");
  note(locale_ != earlier.locale_, "the locale");
  note(!has_same_environment(earlier), "the environment");
  note(timers_ != earlier.timers_ || std::abs(alarm_ - earlier.alarm_) > slack_of_alarm,
       "the process's timers");
  note(dumpable_ != earlier.dumpable_, "whether the process may be dumped");
  note(folder_ != earlier.folder_, "the working directory");
  note(mask_ != earlier.mask_, "the umask");
  return changed;
}

void CallerState::put_back_environment() const noexcept {
  // One by one, because removing a variable moves the others.
  for (char** each = environ; each != nullptr && *each != nullptr;) {
    const std::string_view variable = *each;
    const auto is_same = [&](const std::string& earlier) {
      return variable_name(earlier) == variable_name(variable);
    };
    if (is_read_by_all(variable) && std::ranges::none_of(variables_, is_same)) {
      std::array<char, 64> name{};
      variable_name(variable).copy(name.data(), name.size() - 1);
      if (unsetenv(name.data()) == 0 && *each != variable.data()) continue;
    }
    ++each;
  }
  for (const std::string& variable : variables_) {
    std::array<char, 256> name{};
    variable_name(variable).copy(name.data(), name.size() - 1);
    setenv(name.data(), variable.c_str() + std::min(variable.find('=') + 1, variable.size()), 1);
  }
}

void CallerState::put_back() const noexcept {
  for (int number = 1; number < NSIG; ++number)
    sigaction(number, &handlers_[static_cast<std::size_t>(number)], nullptr);
  sigaltstack(&signal_stack_, nullptr);
  std::setlocale(LC_ALL, locale_.c_str());
  thread_.put_back();
  put_back_environment();
  prctl(PR_SET_DUMPABLE, dumpable_, 0, 0, 0);
  for (std::size_t index = 0; index < timer_kinds.size(); ++index) {
    const itimerval none{};
    if (!timers_[index]) setitimer(timer_kinds[index], &none, nullptr);
  }
  const itimerval alarm{{}, {std::max<std::int64_t>(alarm_ - seconds_now(), 1), 0}};
  if (timers_[0]) setitimer(ITIMER_REAL, &alarm, nullptr);
  static_cast<void>(!chdir(folder_.c_str()));
  umask(mask_);
}

}  // namespace certile::conformance
