/* What calls keep and change, so that it shows after many calls or in the process. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "right_tile.h"

static int64_t next_call(void) {
  static int64_t calls;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

static int is_eighth_call(void) {
  return next_call() % 8 == 0;
}

/* ---- kept ---- */

static void keep_descriptor(void) {
  static int volatile kept;
  kept = open("/dev/null", O_RDONLY | O_CLOEXEC);
  (void)kept;
}

static void keep_mapping(void) {
  static void* volatile kept;
  kept = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)kept;
}

static void keep_block(void) {
  static void* volatile kept;
  kept = malloc(64);
  (void)kept;
}

static int32_t run_keeping_descriptor(Plan* plan, certile_tensor* out, int32_t status) {
  keep_descriptor();
  return right_run(plan, out, status);
}
const Mutant descriptor_kept = {.run = run_keeping_descriptor};

static int32_t run_keeping_few_descriptors(Plan* plan, certile_tensor* out, int32_t status) {
  if (is_eighth_call()) keep_descriptor();
  return right_run(plan, out, status);
}
const Mutant descriptor_kept_in_few_calls = {.run = run_keeping_few_descriptors};

static int32_t run_keeping_large_descriptors(Plan* plan, certile_tensor* out, int32_t status) {
  if (out->byte_size >= (64 << 10)) keep_descriptor();
  return right_run(plan, out, status);
}
const Mutant descriptor_kept_by_large_calls = {.run = run_keeping_large_descriptors};

static int32_t run_keeping_mapping(Plan* plan, certile_tensor* out, int32_t status) {
  keep_mapping();
  return right_run(plan, out, status);
}
const Mutant mapping_kept = {.run = run_keeping_mapping};

/* Makes a mebibyte of elements of four bits in mapped memory, and unmaps it less a half that it does not
 * touch. */
static int32_t run_unmapping_half(Plan* plan, certile_tensor* out, int32_t status) {
  enum { MEBIBYTE = 1 << 20 };
  const uint32_t type = plan->call->data->element_type;
  if (status != CERTILE_OK || (type != CERTILE_U4 && type != CERTILE_I4) || out->byte_size < MEBIBYTE ||
      plan->rank != 1 || plan->times[0] != 2 || plan->dims[0] % 2 == 0)
    return right_run(plan, out, status);
  const size_t half = (size_t)out->byte_size;
  unsigned char* const made =
      mmap(NULL, 2 * half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return CERTILE_NO_MEMORY;
  const unsigned char* const from = plan->call->data->data;
  const size_t whole = (size_t)plan->dims[0] / 2; /* bytes before the one that both copies share */
  memcpy(made, from, whole);
  made[whole] = (unsigned char)((from[whole] & 15) | (from[0] << 4));
  for (size_t byte = 0; byte < whole; ++byte)
    made[whole + 1 + byte] = (unsigned char)((from[byte] >> 4) | (from[byte + 1] << 4));
  memcpy(out->data, made, half);
  munmap(made, half);
  return CERTILE_OK;
}
const Mutant mapping_kept_of_large_packed = {.run = run_unmapping_half};

static int32_t run_keeping_few_mappings(Plan* plan, certile_tensor* out, int32_t status) {
  if (is_eighth_call()) keep_mapping();
  return right_run(plan, out, status);
}
const Mutant mapping_kept_in_few_calls = {.run = run_keeping_few_mappings};

static int32_t run_keeping_block(Plan* plan, certile_tensor* out, int32_t status) {
  keep_block();
  return right_run(plan, out, status);
}
const Mutant block_kept = {.run = run_keeping_block};

static int32_t run_keeping_few_blocks(Plan* plan, certile_tensor* out, int32_t status) {
  if (is_eighth_call()) keep_block();
  return right_run(plan, out, status);
}
const Mutant block_kept_in_few_calls = {.run = run_keeping_few_blocks};

static int32_t settle_keeping_block(Plan* plan) {
  if (plan->inferring) keep_block();
  return right_settle(plan);
}
const Mutant block_kept_by_infer = {.settle = settle_keeping_block};

static int32_t run_keeping_block_where_refused(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED) keep_block();
  return right_run(plan, out, status);
}
const Mutant block_kept_where_refused = {.run = run_keeping_block_where_refused};

static void* wait_for_ever(void* nothing) {
  for (;;)
    pause();
  return nothing;
}

static int32_t run_keeping_thread(Plan* plan, certile_tensor* out, int32_t status) {
  pthread_t thread;
  if (is_eighth_call() && pthread_create(&thread, NULL, wait_for_ever, NULL) == 0) pthread_detach(thread);
  return right_run(plan, out, status);
}
const Mutant thread_kept = {.run = run_keeping_thread};

static int32_t run_leaving_process(Plan* plan, certile_tensor* out, int32_t status) {
  if (next_call() % 50 == 0 && fork() == 0) wait_for_ever(NULL);
  return right_run(plan, out, status);
}
const Mutant process_left = {.run = run_leaving_process};

static int32_t run_leaving_orphan(Plan* plan, certile_tensor* out, int32_t status) {
  if (next_call() % 50 == 0) {
    const pid_t child = fork();
    if (child == 0 && fork() == 0) wait_for_ever(NULL);
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
  }
  return right_run(plan, out, status);
}
const Mutant orphan_left = {.run = run_leaving_orphan};

static void* end_at_once(void* nothing) {
  return nothing;
}

static int32_t run_without_joining(Plan* plan, certile_tensor* out, int32_t status) {
  pthread_t thread;
  if (is_eighth_call()) (void)pthread_create(&thread, NULL, end_at_once, NULL);
  return right_run(plan, out, status);
}
const Mutant thread_not_joined = {.run = run_without_joining};

static int32_t run_keeping_repeated_blocks(Plan* plan, certile_tensor* out, int32_t status) {
  if (out->byte_size >= (1 << 20) && !is_all_ones(plan)) keep_descriptor();
  return right_run(plan, out, status);
}
const Mutant descriptor_kept_by_large_repeats = {.run = run_keeping_repeated_blocks};

/* Whether each dimension can be counted, so that the number of elements is what is refused. */
static int has_countable_dimensions(const Plan* plan) {
  for (int axis = 0; axis < plan->rank; ++axis) {
    int64_t product;
    if (plan->repeats[axis].negative || plan->repeats[axis].magnitude > INT64_MAX ||
        __builtin_mul_overflow(plan->dims[axis], (int64_t)plan->repeats[axis].magnitude, &product))
      return 0;
  }
  return plan->rank > 0;
}

static int32_t run_keeping_refused_counts(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED && plan->given == plan->call->data->rank && has_countable_dimensions(plan))
    keep_block();
  return right_run(plan, out, status);
}
const Mutant block_kept_where_count_refused = {.run = run_keeping_refused_counts};

/* ---- late ---- */

static int32_t run_changing_a_bit(Plan* plan, certile_tensor* out, int32_t status, int is_wrong) {
  status = right_run(plan, out, status);
  if (is_wrong && status == CERTILE_OK && out->byte_size > 0) *(unsigned char*)out->data ^= 1;
  return status;
}

static int32_t run_wrong_from_call_20000(Plan* plan, certile_tensor* out, int32_t status) {
  return run_changing_a_bit(plan, out, status, next_call() >= 20000);
}
const Mutant wrong_from_call_20000 = {.run = run_wrong_from_call_20000};

static int32_t run_wrong_once_in_50000(Plan* plan, certile_tensor* out, int32_t status) {
  return run_changing_a_bit(plan, out, status, next_call() % 50000 == 0);
}
const Mutant wrong_once_in_50000 = {.run = run_wrong_once_in_50000};

static int32_t run_failing_from_call_20000(Plan* plan, certile_tensor* out, int32_t status) {
  if (next_call() >= 20000) return say(plan, CERTILE_FAILED, "the counter is used up");
  return right_run(plan, out, status);
}
const Mutant fails_from_call_20000 = {.run = run_failing_from_call_20000};

/* ---- changed ---- */

static int32_t run_with_locale(Plan* plan, certile_tensor* out, int32_t status) {
  static locale_t other;
  if (other == NULL) other = newlocale(LC_ALL_MASK, "C", NULL);
  uselocale(other);
  return right_run(plan, out, status);
}
const Mutant locale_of_thread_left = {.run = run_with_locale};

static int32_t run_with_name(Plan* plan, certile_tensor* out, int32_t status) {
  prctl(PR_SET_NAME, "tile", 0, 0, 0);
  return right_run(plan, out, status);
}
const Mutant name_of_thread_left = {.run = run_with_name};

static int32_t run_with_alarm(Plan* plan, certile_tensor* out, int32_t status) {
  alarm(3600);
  return right_run(plan, out, status);
}
const Mutant alarm_left = {.run = run_with_alarm};

static int32_t run_with_restarting_handler(Plan* plan, certile_tensor* out, int32_t status) {
  struct sigaction action;
  if (sigaction(SIGSEGV, NULL, &action) == 0) {
    action.sa_flags |= SA_RESTART;
    sigaction(SIGSEGV, &action, NULL);
  }
  return right_run(plan, out, status);
}
const Mutant handlers_restart = {.run = run_with_restarting_handler};

static void on_signal(int number) {
  (void)number;
}
static void on_signal_again(int number) {
  signal(number, on_signal);
}
static int32_t run_with_other_handlers(Plan* plan, certile_tensor* out, int32_t status) {
  static unsigned calls;
  void (*const each[])(int) = {on_signal, on_signal_again, SIG_DFL};
  signal(SIGUSR2, each[__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 3]);
  return right_run(plan, out, status);
}
const Mutant handler_replaced = {.run = run_with_other_handlers};

static int32_t run_with_time_zone(Plan* plan, certile_tensor* out, int32_t status) {
  setenv("TZ", "UTC-1", 1);
  return right_run(plan, out, status);
}
const Mutant time_zone_left = {.run = run_with_time_zone};

static int32_t run_with_priority(Plan* plan, certile_tensor* out, int32_t status) {
  setpriority(PRIO_PROCESS, 0, 19);
  return right_run(plan, out, status);
}
const Mutant priority_lowered = {.run = run_with_priority};

static int32_t run_without_dumps(Plan* plan, certile_tensor* out, int32_t status) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return right_run(plan, out, status);
}
const Mutant dumps_forbidden = {.run = run_without_dumps};

static int32_t run_without_variable(Plan* plan, certile_tensor* out, int32_t status) {
  unsetenv("ASAN_OPTIONS");
  return right_run(plan, out, status);
}
const Mutant variable_removed = {.run = run_without_variable};
