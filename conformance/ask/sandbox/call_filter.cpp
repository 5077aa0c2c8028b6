#include "conformance/ask/sandbox/call_filter.hpp"

#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace certile::conformance {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t processor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t processor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t processor = 0;  // its numbers of system calls are not known here
#endif

constexpr std::array denied {
  // Reaching other processes.
  SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
      // Reaching other machines, and servers of this one.  A pair of sockets remains.
      SYS_socket,
      // Changing what is mounted, and namespaces.
      SYS_mount, SYS_umount2, SYS_move_mount, SYS_open_tree, SYS_fsopen, SYS_fsconfig, SYS_fsmount,
      SYS_fspick, SYS_mount_setattr, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare,
      SYS_open_by_handle_at,
      // Parts of the kernel with many known weaknesses, of which computing needs none.
      SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_io_uring_setup, SYS_io_uring_enter,
      SYS_io_uring_register, SYS_fanotify_init, SYS_add_key, SYS_request_key, SYS_keyctl,
      // Administration.
      SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot,
      SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_sethostname,
      SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex,
#if defined(__x86_64__)
      SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

constexpr std::uint32_t new_namespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// A program of the kernel's filter.
class Filter {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  // Loads the low half of an argument, which has all the bits of interest.
  void load_argument(std::size_t index) {
    load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
  }
  void answer(std::uint32_t answered) { add(BPF_RET | BPF_K, answered); }
  void answer_if_equal(std::uint32_t value, std::uint32_t answered) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(answered);
  }
  void answer_unless_equal(std::uint32_t value, std::uint32_t answered) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    answer(answered);
  }
  void answer_if_at_least(std::uint32_t value, std::uint32_t answered) {
    add(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1);
    answer(answered);
  }
  void answer_if_any_of(std::uint32_t bits, std::uint32_t answered) {
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(answered);
  }
  // Adds what follows for that call alone; `rest` must answer in each case.
  template <class Rest>
  void for_call(long call, Rest rest) {
    const std::size_t jump = program_.size();
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 0);
    rest();
    program_[jump].jf = static_cast<std::uint8_t>(program_.size() - jump - 1);
  }
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    program_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }

  std::vector<sock_filter> program_;
};

}  // namespace

Result<Done> filter_calls() {
  if (processor == 0) return Error{Error::Code::io, "the calls of this processor are not known"};
  constexpr std::uint32_t allow = SECCOMP_RET_ALLOW, refuse = SECCOMP_RET_ERRNO | EPERM,
                          unknown = SECCOMP_RET_ERRNO | ENOSYS;
  Filter filter;
  // Other calling conventions of the processor have other numbers.
  filter.load(offsetof(seccomp_data, arch));
  filter.answer_unless_equal(processor, refuse);
  filter.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  constexpr std::uint32_t first_of_x32 = 0x40000000;
  filter.answer_if_at_least(first_of_x32, refuse);
#endif
  for (const long call : denied)
    filter.answer_if_equal(static_cast<std::uint32_t>(call), refuse);
  // The flags of clone3 are in memory, which a filter cannot read; the C library uses clone instead.
  filter.answer_if_equal(SYS_clone3, unknown);
  filter.for_call(SYS_clone, [&] {
    filter.load_argument(0);
    filter.answer_if_any_of(new_namespaces, refuse);
    filter.answer(allow);
  });
  filter.for_call(SYS_socketpair, [&] {
    filter.load_argument(0);
    filter.answer_unless_equal(AF_UNIX, refuse);
    filter.answer(allow);
  });
  // Typing into a terminal.
  filter.for_call(SYS_ioctl, [&] {
    filter.load_argument(1);
    for (const std::uint32_t request : {std::uint32_t{TIOCSTI}, std::uint32_t{TIOCLINUX}})
      filter.answer_if_equal(request, refuse);
    filter.answer(allow);
  });
  filter.answer(allow);
  if (!filter.install()) return Error{Error::Code::io, std::strerror(errno)};
  return Done{};
}

}  // namespace certile::conformance
