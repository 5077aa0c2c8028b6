/* State of the process and the thread that a call leaves changed. */
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "where.h"

static int32_t run_masking_files(Plan* plan, certile_tensor* out, int32_t status) {
  umask(077);
  return right_run(plan, out, status);
}
const Mutant mask_for_files_changed = {.run = run_masking_files};

static int32_t run_leaving_stack(Plan* plan, certile_tensor* out, int32_t status) {
  static char room[1 << 16];
  const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  sigaltstack(&stack, 0);
  return right_run(plan, out, status);
}
const Mutant stack_for_signals_left = {.run = run_leaving_stack};

static int32_t run_under_a_timer(Plan* plan, certile_tensor* out, int32_t status) {
  const struct itimerval guard = {.it_value = {60, 0}}, none = {.it_value = {0, 0}};
  if (out->byte_size < 256) return right_run(plan, out, status);
  setitimer(ITIMER_REAL, &guard, 0);
  status = right_run(plan, out, status);
  setitimer(ITIMER_REAL, &none, 0);
  return status;
}
const Mutant timer_taken_away = {.run = run_under_a_timer};

static int32_t run_in_c(Plan* plan, certile_tensor* out, int32_t status) {
  if (status != CERTILE_OK) setlocale(LC_ALL, "C");
  return right_run(plan, out, status);
}
const Mutant locale_of_c_left = {.run = run_in_c};

static int32_t run_unblocking(Plan* plan, certile_tensor* out, int32_t status) {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, 0);
  return right_run(plan, out, status);
}
const Mutant signals_unblocked = {.run = run_unblocking};

/* Writes all of a long message, whatever the room for it. */
static int32_t run_saying_much(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED) {
    memset(plan->why->utf8, '.', 200);
    plan->why->utf8[200] = '\0';
  }
  return right_run(plan, out, status);
}
const Mutant room_for_message_ignored = {.run = run_saying_much};
