/* Threads that outlive the call that started them. */
#include "hostile.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { idle, started, called, over };
static atomic_int state = idle;
static void* target;
static uint64_t target_size;

static void start(void* (*body)(void*)) {
  pthread_t thread = 0;
  if (atomic_exchange(&state, started) == idle && pthread_create(&thread, 0, body, 0) == 0)
    pthread_detach(thread);
}

static void wait_for_call(void) {
  while (atomic_load(&state) != called)
    sched_yield();
}

/* Makes the next call of another case wait until the thread has finished. */
static void let_it(const Asked* asked) {
  if (atomic_load(&state) != started) return;
  target = asked->out->data;
  target_size = asked->out->byte_size;
  atomic_store(&state, called);
  while (atomic_load(&state) != over)
    sched_yield();
}

static void* write_later(void* unused) {
  (void)unused;
  wait_for_call();
  if (target_size > 0) memset(target, 0x77, (size_t)target_size);
  atomic_store(&state, over);
  return 0;
}

static void start_writing(const Asked* asked) {
  (void)asked;
  start(write_later);
}
const Hostile writes_after_returning = {.after = start_writing, .later = let_it};

static void* crash_later(void* unused) {
  (void)unused;
  wait_for_call();
  raise(SIGSEGV);
  return 0;
}

static void start_crashing(const Asked* asked) {
  (void)asked;
  start(crash_later);
}
const Hostile crashes_after_returning = {.after = start_crashing, .later = let_it};

static void* busy(void* unused) {
  (void)unused;
  for (;;)
    sched_yield();
  return 0;
}

static void start_busy(const Asked* asked) {
  (void)asked;
  start(busy);
}
const Hostile leaves_a_busy_thread = {.after = start_busy};

static void* sleep_in_thread(void* unused) {
  (void)unused;
  sleep_for_ever();
  return 0;
}

static void start_many(const Asked* asked) {
  pthread_t thread = 0;
  (void)asked;
  for (int each = 0; each < 200 && pthread_create(&thread, 0, sleep_in_thread, 0) == 0; ++each)
    pthread_detach(thread);
}
const Hostile leaves_two_hundred_threads = {.after = start_many};
