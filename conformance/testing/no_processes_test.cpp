// Keeps the label `unit` true: a suite that has it runs with CERTILE_TEST_STARTS_NO_PROCESS, and cannot start
// a process.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace certile::conformance {
namespace {

constexpr sock_filter statement(unsigned code, unsigned value) {
  return {static_cast<unsigned short>(code), 0, 0, value};
}
// Goes on after `skipped` more statements unless the value is equal, or has the bit.
constexpr sock_filter unless(unsigned test, unsigned value, unsigned char skipped) {
  return {static_cast<unsigned short>(BPF_JMP | BPF_K | test), 0, skipped, value};
}

// Threads are allowed.  The C library tries clone where the system has no clone3, whose flags a filter cannot
// read.
bool forbid_processes() {
  constexpr unsigned load = BPF_LD | BPF_W | BPF_ABS, answer = BPF_RET | BPF_K;
  constexpr auto no = [](unsigned error) { return statement(answer, SECCOMP_RET_ERRNO | error); };
  std::array filter{
      statement(load, offsetof(seccomp_data, nr)),
#ifdef SYS_fork
      unless(BPF_JEQ, SYS_fork, 1),
      no(EPERM),
      unless(BPF_JEQ, SYS_vfork, 1),
      no(EPERM),
#endif
      unless(BPF_JEQ, SYS_execve, 1),
      no(EPERM),
      unless(BPF_JEQ, SYS_clone3, 1),
      no(ENOSYS),
      unless(BPF_JEQ, SYS_clone, 3),
      statement(load, offsetof(seccomp_data, args[0])),
      sock_filter{BPF_JMP | BPF_K | BPF_JSET, 1, 0, CLONE_THREAD},
      no(EPERM),
      statement(answer, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

// A machine without filters runs the suites all the same.
[[maybe_unused]] const bool is_forbidden =
    std::getenv("CERTILE_TEST_STARTS_NO_PROCESS") != nullptr && forbid_processes();

}  // namespace
}  // namespace certile::conformance
