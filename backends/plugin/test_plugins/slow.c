/* The plugins that answer late or never. */
#include "test_plugin.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Never returns.  It needs no processor, so that a test may wait for it as long as a busy machine needs for
 * the calls around it. */
static void sleep_for_ever(void) {
  for (;;)
    poll(0, 0, -1);
}

/* Never returns from one case, and is right in all others. */
RUN(hang) {
  if (is_the_case(call)) sleep_for_ever();
  return right.run(self, call, out, why);
}
const TestPlugin hang = {.run = run_hang};

/* Never returns from a right call whose data has three axes or more, the first of them not 1. */
RUN(hang_on_rank_three) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int fits = repeats->rank == 1 && repeats->shape[0] == data->rank;
  if (fits && data->rank >= 3 && data->shape[0] > 1) sleep_for_ever();
  return right.run(self, call, out, why);
}
const TestPlugin hang_on_rank_three = {.run = run_hang_on_rank_three};

/* Is right, and takes more than half a second for each call of run. */
RUN(slow) {
  const struct timespec pause = {0, 600000000};
  nanosleep(&pause, 0);
  return right.run(self, call, out, why);
}
const TestPlugin slow = {.run = run_slow};

/* Is right, and its first call of run takes more than two seconds, as if it set something up. */
RUN(slow_at_first) {
  static atomic_flag is_set_up = ATOMIC_FLAG_INIT;
  const struct timespec pause = {2, 300000000};
  if (!atomic_flag_test_and_set(&is_set_up)) nanosleep(&pause, 0);
  return right.run(self, call, out, why);
}
const TestPlugin slow_at_first = {.run = run_slow_at_first};

/* After a call whose data has three elements, it never returns from one with four or five; before it, one
 * with four takes 0.8 s. */
RUN(slow_after_another) {
  static int had_three;
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  if (first == 3) had_three = 1;
  const struct timespec pause = {0, 800000000};
  if ((first == 4 || first == 5) && had_three) sleep_for_ever();
  if (first == 4) nanosleep(&pause, 0);
  return right.run(self, call, out, why);
}
const TestPlugin slow_after_another = {.run = run_slow_after_another};

/* Never returns from a call whose data has three elements, and takes 1.2 s for one whose data has four. */
RUN(slow_beside_a_hang) {
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  const struct timespec pause = {1, 200000000};
  if (first == 3) sleep_for_ever();
  if (first == 4) nanosleep(&pause, 0);
  return right.run(self, call, out, why);
}
const TestPlugin slow_beside_a_hang = {.run = run_slow_beside_a_hang};

/* Is right, and takes a millisecond for each call of run, as the library of a device may. */
RUN(slow_in_many_calls) {
  const struct timespec pause = {0, 1000000};
  nanosleep(&pause, 0);
  return right.run(self, call, out, why);
}
const TestPlugin slow_in_many_calls = {.run = run_slow_in_many_calls};

/* Adds a byte to the file PATH.loads each time it is loaded, where PATH is its own, and is never loaded to
 * the end if there is a file PATH.hangs. */
static const char* beside_it(const char* ending) {
  static char path[4096];
  Dl_info own;
  dladdr(path, &own);
  snprintf(path, sizeof path, "%s.%s", own.dli_fname, ending);
  return path;
}
static void note_the_load(void) {
  const int file = open(beside_it("loads"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file >= 0 && write(file, ".", 1) == 1) close(file);
  if (access(beside_it("hangs"), F_OK) == 0) sleep_for_ever();
}
const TestPlugin counts_its_loads = {.load = note_the_load};

/* Answers a call whose data has 501 elements once another process, or an earlier call, has been given data of
 * 502; it refuses after ten minutes.  What both know is the file that CERTILE_TEST_FILE names. */
RUN(waits_for_another_process) {
  enum { MOST_PAUSES = 60000 };
  const struct timespec pause = {0, 10000000};
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  const char* file = getenv("CERTILE_TEST_FILE");
  if (!file) return CERTILE_UNSUPPORTED;
  if (first == 502) close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  for (int pauses = 0; first == 501 && access(file, F_OK) != 0; ++pauses) {
    if (pauses == MOST_PAUSES) return CERTILE_UNSUPPORTED;
    nanosleep(&pause, 0);
  }
  return right.run(self, call, out, why);
}
const TestPlugin waits_for_another_process = {.run = run_waits_for_another_process};

/* Is right, and prints 2,000 lines in each call. */
RUN(prints_much) {
  for (int line = 0; line < 2000; ++line)
    if (write(1, "a value of no interest\n", 23) < 0) break;
  return right.run(self, call, out, why);
}
const TestPlugin prints_much = {.run = run_prints_much};
