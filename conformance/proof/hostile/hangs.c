/* Calls that never return, or late. */
#include "hostile.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int32_t loop(const Asked* asked) {
  volatile int going = 1;
  (void)asked;
  while (going) {
  }
  return GO_ON;
}
const Hostile loops = {.run = loop};
const Hostile loops_in_infer = {.infer = loop};

static int32_t deadlock(const Asked* asked) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  (void)asked;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  return GO_ON;
}
const Hostile waits_for_itself = {.run = deadlock};

static int32_t stop_itself(const Asked* asked) {
  (void)asked;
  kill(getpid(), SIGSTOP);
  return GO_ON;
}
const Hostile stops = {.run = stop_itself};

static int32_t stop_both(const Asked* asked) {
  kill(getppid(), SIGSTOP);
  return stop_itself(asked);
}
const Hostile stops_its_host_too = {.run = stop_both};

static int32_t deaf(const Asked* asked) {
  sigset_t all;
  (void)asked;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  for (int number = 1; number < NSIG; ++number)
    if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_IGN);
  sleep_for_ever();
  return GO_ON;
}
const Hostile sleeps_deaf_to_signals = {.run = deaf};

/* The parent of a vfork sleeps in the kernel until its child ends. */
static int32_t wait_for_vfork(const Asked* asked) {
  (void)asked;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  /* NOLINTNEXTLINE(bugprone-unsafe-functions): stopping its parent is its purpose */
  const pid_t child = vfork();
#pragma GCC diagnostic pop
  if (child == 0) sleep_for_ever();
  return GO_ON;
}
const Hostile waits_for_a_vfork = {.run = wait_for_vfork};

static int32_t take_long(const Asked* asked) {
  const struct timespec long_time = {0, 60000000};
  (void)asked;
  nanosleep(&long_time, 0);
  return GO_ON;
}
const Hostile answers_late = {.run = take_long};

static int32_t alarm_clock(const Asked* asked) {
  (void)asked;
  ualarm(1000, 0);
  sleep_for_ever();
  return GO_ON;
}
const Hostile sets_an_alarm = {.run = alarm_clock};
