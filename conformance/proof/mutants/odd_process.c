/* Right, with separate threads, signals and other state, which they put back.  None may be accused. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "where.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct Work {
  Plan* plan;
  certile_tensor* out;
  int32_t status;
  int64_t from, end;
} Work;

static void do_part(const Work* work) {
  const Plan* const plan = work->plan;
  const int64_t extent = plan->rank > 0 ? plan->shape[plan->rank - 1] : 1;
  for (int64_t to = work->from; to < work->end;) {
    int64_t at = to % extent; /* the first part may begin within a row */
    const int64_t begin = source_of_position(plan, to - at);
    for (; at < extent && to < work->end; ++at, ++to)
      right_copy(plan, work->out->data, to, begin + at % row_of(plan));
  }
}
static void* do_part_of(void* work) {
  do_part(work);
  return 0;
}
static int is_divisible(const Plan* plan, int32_t status) {
  return status == CERTILE_OK && plan->count > 64 && bits_of(plan) % 8 == 0;
}
static int is_turn(int turns) {
  static int calls;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) % turns == 0;
}

static int32_t run_with_second_thread(Plan* plan, certile_tensor* out, int32_t status) {
  pthread_t thread;
  if (!is_divisible(plan, status)) return right_run(plan, out, status);
  Work first = {plan, out, status, 0, plan->count / 2},
       second = {plan, out, status, plan->count / 2, plan->count};
  const int has_started = pthread_create(&thread, 0, do_part_of, &second) == 0;
  do_part(&first);
  if (has_started)
    pthread_join(thread, 0);
  else
    do_part(&second);
  return status;
}
const Mutant second_half_in_a_thread = {.run = run_with_second_thread};

static Work* given;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_done, has_worker;
static pthread_mutex_t for_worker = PTHREAD_MUTEX_INITIALIZER, for_callers = PTHREAD_MUTEX_INITIALIZER;
static void* work_for_ever(void* nothing) {
  pthread_mutex_lock(&for_worker);
  for (;;) {
    while (given == 0)
      pthread_cond_wait(&changed, &for_worker);
    do_part(given);
    given = 0;
    is_done = 1;
    pthread_cond_broadcast(&changed);
  }
  return nothing;
}
static int32_t run_with_worker(Plan* plan, certile_tensor* out, int32_t status) {
  pthread_t thread;
  if (!is_divisible(plan, status)) return right_run(plan, out, status);
  pthread_mutex_lock(&for_callers);
  if (has_worker == 0) has_worker = pthread_create(&thread, 0, work_for_ever, 0) == 0 ? 1 : -1;
  Work first = {plan, out, status, 0, plan->count / 2},
       second = {plan, out, status, plan->count / 2, plan->count};
  if (has_worker < 0) {
    do_part(&first);
    do_part(&second);
  } else {
    pthread_mutex_lock(&for_worker);
    is_done = 0;
    given = &second;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&for_worker);
    do_part(&first);
    pthread_mutex_lock(&for_worker);
    while (!is_done)
      pthread_cond_wait(&changed, &for_worker);
    pthread_mutex_unlock(&for_worker);
  }
  pthread_mutex_unlock(&for_callers);
  return status;
}
const Mutant half_given_to_a_worker = {.run = run_with_worker};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[4096];
static void make_table(void) {
  for (int index = 0; index < 4096; ++index)
    table[index] = index;
  usleep(200);
}
static int32_t run_with_table(Plan* plan, certile_tensor* out, int32_t status) {
  pthread_once(&once, make_table);
  return table[4095] == 4095 ? right_run(plan, out, status) : CERTILE_FAILED;
}
const Mutant table_made_once = {.run = run_with_table};

static __thread ucontext_t caller, coroutine;
static __thread Work* of_coroutine;
static void work_in_coroutine(void) {
  of_coroutine->status = right_run(of_coroutine->plan, of_coroutine->out, of_coroutine->status);
}
static int32_t run_in_coroutine(Plan* plan, certile_tensor* out, int32_t status) {
  enum { SIZE = 1 << 16 };
  Work work = {plan, out, status, 0, 0};
  void* const stack = malloc(SIZE);
  if (stack == 0) return right_run(plan, out, status);
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = SIZE;
  coroutine.uc_link = &caller;
  of_coroutine = &work;
  makecontext(&coroutine, work_in_coroutine, 0);
  swapcontext(&caller, &coroutine);
  free(stack);
  return work.status;
}
const Mutant works_in_a_coroutine = {.run = run_in_coroutine};

static void ignore(int signal_number) {
  (void)signal_number;
}
static int32_t run_handling(Plan* plan, certile_tensor* out, int32_t status) {
  struct sigaction mine, before;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = ignore;
  pthread_mutex_lock(&lock);
  sigaction(SIGUSR1, &mine, &before);
  status = right_run(plan, out, status);
  sigaction(SIGUSR1, &before, 0);
  pthread_mutex_unlock(&lock);
  return status;
}
const Mutant handler_put_back = {.run = run_handling};

static void handle_signals(void) {
  struct sigaction mine;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = ignore;
  mine.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGUSR2, &mine, 0);
  sigaction(SIGINT, &mine, 0);
  mine.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &mine, 0);
}
static int32_t run_with_handlers(Plan* plan, certile_tensor* out, int32_t status) {
  static pthread_once_t set = PTHREAD_ONCE_INIT;
  pthread_once(&set, handle_signals);
  return right_run(plan, out, status);
}
const Mutant handlers_set_once = {.run = run_with_handlers};

static int32_t run_blocking(Plan* plan, certile_tensor* out, int32_t status) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  status = right_run(plan, out, status);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  return status;
}
const Mutant signals_blocked_meanwhile = {.run = run_blocking};

static void open_descriptor(void) {
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  (void)descriptor;
}
static int32_t run_with_descriptor(Plan* plan, certile_tensor* out, int32_t status) {
  static pthread_once_t opened = PTHREAD_ONCE_INIT;
  pthread_once(&opened, open_descriptor);
  return right_run(plan, out, status);
}
const Mutant descriptor_opened_once = {.run = run_with_descriptor};

static int32_t run_in_child(Plan* plan, certile_tensor* out, int32_t status) {
  if (!is_divisible(plan, status) || type_of(plan) == CERTILE_STRING || !is_turn(500))
    return right_run(plan, out, status);
  void* const memory =
      mmap(0, (size_t)out->byte_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return right_run(plan, out, status);
  certile_tensor other = *out;
  other.data = memory;
  int ended = -1;
  const pid_t child = fork();
  if (child == 0) {
    const Work work = {plan, &other, status, 0, plan->count};
    do_part(&work);
    _exit(0);
  }
  if (child > 0) waitpid(child, &ended, 0);
  if (ended == 0)
    memcpy(out->data, memory, (size_t)out->byte_size);
  else
    status = right_run(plan, out, status);
  munmap(memory, (size_t)out->byte_size);
  return status;
}
const Mutant made_by_a_child_process = {.run = run_in_child};
