// container_calls users|calls COMMAND...: runs COMMAND, to which the kernel refuses what a container's rules
// refuse: users: new user namespaces; calls: all that Docker's default filter refuses root without
// CAP_SYS_ADMIN. Source of `calls`: profiles/seccomp/default.json of moby, and io_uring, which later versions
// of it refuse.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#define OF_PROCESSOR SYS__sysctl, SYS_ioperm, SYS_iopl, SYS_sysfs, SYS_uselib, SYS_ustat
#elif defined(__aarch64__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#define OF_PROCESSOR SYS_nfsservctl
#else
#error "the calls of this processor are not known"
#endif

// clang-format off
static const long refused[] = {
    OF_PROCESSOR, SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_settime, SYS_delete_module,
    SYS_fanotify_init, SYS_finit_module, SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick,
    SYS_get_mempolicy, SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_io_uring_setup, SYS_kcmp, SYS_kexec_file_load, SYS_kexec_load, SYS_keyctl,
    SYS_lookup_dcookie, SYS_mbind, SYS_migrate_pages, SYS_mount, SYS_mount_setattr, SYS_move_mount,
    SYS_move_pages, SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open, SYS_pidfd_getfd,
    SYS_pivot_root, SYS_process_madvise, SYS_quotactl, SYS_quotactl_fd, SYS_reboot, SYS_request_key,
    SYS_set_mempolicy, SYS_setdomainname, SYS_sethostname, SYS_setns, SYS_settimeofday, SYS_swapoff,
    SYS_swapon, SYS_syslog, SYS_umount2, SYS_unshare, SYS_userfaultfd, SYS_vhangup
};
// clang-format on
static const uint32_t personalities[] = {0, 0x8, 0x20000, 0x20008, 0xffffffff};

static struct sock_filter program[256];
static unsigned short length;

static void add(int code, uint32_t value, uint8_t if_true, uint8_t if_false) {
  program[length++] = (struct sock_filter){(uint16_t)code, if_true, if_false, value};
}
static void load(size_t offset) {
  add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}
// Answers if the loaded value is this (BPF_JEQ), or has one of these bits (BPF_JSET).
static void answer_if(int compare, uint32_t value, uint32_t answer) {
  add(BPF_JMP | compare | BPF_K, value, 0, 1);
  add(BPF_RET | BPF_K, answer, 0, 0);
}
// Loads this argument if the call is `call`; otherwise goes on behind `steps` more steps.
static void load_argument_of(long call, size_t argument, uint8_t steps) {
  load(offsetof(struct seccomp_data, nr));
  add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, (uint8_t)(steps + 1));
  load(offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
}

int main(int count, char** words) {
  const int all = count > 2 && strcmp(words[1], "calls") == 0;
  if (!all && (count < 3 || strcmp(words[1], "users") != 0)) return 2;
  const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS,
                 allow = SECCOMP_RET_ALLOW;
  const uint32_t namespaces = all ? CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
                                  : CLONE_NEWUSER;
  load(offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0);
  add(BPF_RET | BPF_K, refuse, 0, 0);
  load(offsetof(struct seccomp_data, nr));
  answer_if(BPF_JEQ, SYS_clone3, unknown);
  for (size_t each = 0; all && each < sizeof refused / sizeof *refused; ++each)
    answer_if(BPF_JEQ, (uint32_t)refused[each], refuse);
  load_argument_of(SYS_clone, 0, 2);
  answer_if(BPF_JSET, namespaces, refuse);
  load_argument_of(SYS_unshare, 0, 2);
  answer_if(BPF_JSET, namespaces, refuse);
  if (all) {
    load_argument_of(SYS_socket, 0, 2);
    answer_if(BPF_JEQ, AF_VSOCK, refuse);
    const size_t known = sizeof personalities / sizeof *personalities;
    load_argument_of(SYS_personality, 0, (uint8_t)(2 * known + 1));
    for (size_t each = 0; each < known; ++each)
      answer_if(BPF_JEQ, personalities[each], allow);
    add(BPF_RET | BPF_K, refuse, 0, 0);
  }
  add(BPF_RET | BPF_K, allow, 0, 0);
  const struct sock_fprog filter = {length, program};
  // Root may install it without refusing new rights, as Docker does: programs with setuid go on to work.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0) execvp(words[2], words + 2);
  perror(words[2]);
  return 126;
}
