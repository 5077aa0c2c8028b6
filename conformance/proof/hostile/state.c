/* Changes that a call leaves in its thread and its process. */
#include "hostile.h"

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
#include <linux/filter.h>
#include <linux/seccomp.h>

static void flush_subnormals(const Asked* asked) {
  (void)asked;
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | (UINT64_C(1) << 24)));
#endif
}
const Hostile leaves_subnormals_flushed = {.after = flush_subnormals};

static void round_up(const Asked* asked) {
  (void)asked;
  fesetround(FE_UPWARD);
}
const Hostile leaves_rounding_upward = {.after = round_up};

static void block_signals(const Asked* asked) {
  sigset_t some;
  (void)asked;
  sigemptyset(&some);
  sigaddset(&some, SIGSEGV);
  sigaddset(&some, SIGALRM);
  sigaddset(&some, SIGPROF);
  sigprocmask(SIG_BLOCK, &some, 0);
}
const Hostile leaves_signals_blocked = {.after = block_signals};

static void on_signal(int number) {
  (void)number;
}

static void handle_faults(const Asked* asked) {
  (void)asked;
  signal(SIGSEGV, on_signal);
}
const Hostile leaves_a_handler_of_sigsegv = {.after = handle_faults};

static void handle_everything(const Asked* asked) {
  (void)asked;
  for (int number = 1; number < NSIG; ++number)
    signal(number, SIG_IGN);
}
const Hostile leaves_every_signal_ignored = {.after = handle_everything};

static void disable_stack(const Asked* asked) {
  stack_t none = {0, SS_DISABLE, 0};
  (void)asked;
  sigaltstack(&none, 0);
}
const Hostile leaves_no_stack_for_signals = {.after = disable_stack};

static void change_locale(const Asked* asked) {
  (void)asked;
  setlocale(LC_ALL, "C");
}
const Hostile leaves_another_locale = {.after = change_locale};

static void change_folder(const Asked* asked) {
  (void)asked;
  if (chdir("/proc") != 0) abort();
}
const Hostile leaves_another_folder = {.after = change_folder};

static void change_mask(const Asked* asked) {
  (void)asked;
  umask(0777);
}
const Hostile leaves_another_umask = {.after = change_mask};

static void change_environment(const Asked* asked) {
  (void)asked;
  clearenv();
  setenv("LD_PRELOAD", "/nowhere.so", 1);
  setenv("ASAN_OPTIONS", "detect_leaks=1", 1);
}
const Hostile leaves_another_environment = {.after = change_environment};

static void limit(int resource, rlim_t value) {
  const struct rlimit both = {value, value};
  setrlimit((__rlimit_resource_t)resource, &both);
}

static void limit_itself(const Asked* asked) {
  (void)asked;
  limit(RLIMIT_NOFILE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_STACK, 65536);
  limit(RLIMIT_NPROC, 0);
}
const Hostile leaves_limits_of_nothing = {.after = limit_itself};

static void filter_calls(struct sock_filter* filter, unsigned short count) {
  const struct sock_fprog program = {count, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Makes the kernel end a process that does more than read and write; in a container it refuses its strict
 * mode. */
static void confine(const Asked* asked) {
  struct sock_filter filter[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
                                 {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_read},
                                 {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_write},
                                 {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
                                 {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  (void)asked;
  filter_calls(filter, 5);
}
const Hostile confines_itself = {.after = confine};

/* Makes the kernel refuse every call, even the end of the process. */
static void refuse_all_calls(const Asked* asked) {
  struct sock_filter filter[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | 1}};
  (void)asked;
  filter_calls(filter, 1);
}
const Hostile has_the_kernel_refuse_all = {.after = refuse_all_calls};

static void drop_privileges(const Asked* asked) {
  (void)asked;
  if (setuid(65534) != 0) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
const Hostile becomes_another_user = {.after = drop_privileges};
