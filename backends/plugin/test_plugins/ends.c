/* The plugins that end a process, or damage what certile needs. */
#include "test_plugin.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Crashes in one case, and is right in all others. */
RUN(crash_on_one_case) {
  if (is_the_case(call)) abort();
  return right.run(self, call, out, why);
}
const TestPlugin crash_on_one_case = {.run = run_crash_on_one_case};

/* Crashes whenever data of rank 2 or more has a last dimension of at least 2 and a last repeat of at least 3.
 */
RUN(crash_on_repeat_three) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int fits =
      repeats->rank == 1 && repeats->shape[0] == data->rank && repeats->element_type == CERTILE_I64;
  if (fits && data->rank >= 2 && data->shape[data->rank - 1] >= 2 &&
      ((const int64_t*)repeats->data)[data->rank - 1] >= 3)
    abort();
  return right.run(self, call, out, why);
}
const TestPlugin crash_on_repeat_three = {.run = run_crash_on_repeat_three};

/* Ends its process by a signal in its fortieth call, more than judging a case takes and fewer than timing it.
 */
RUN(crash_from_call_40) {
  static int calls;
  if (++calls == 40) abort();
  return right.run(self, call, out, why);
}
const TestPlugin crash_from_call_40 = {.run = run_crash_from_call_40};

/* Says why, and aborts while it is loaded, before any call. */
static void crash(void) {
  fputs("the licence server was not found\nask its owner\n", stderr);
  abort();
}
const TestPlugin crash_while_loading = {.load = crash};

/* Ends the process in one case, as if all were well. */
RUN(exit_zero) {
  if (is_the_case(call)) exit(0);
  return right.run(self, call, out, why);
}
const TestPlugin exit_zero = {.run = run_exit_zero};

/* Kills the process that watches over it in one case, and waits for the consequences. */
RUN(kills_parent) {
  const pid_t parent = getppid();
  if (is_the_case(call)) kill(parent, SIGKILL);
  while (is_the_case(call) && getppid() == parent)
    pause();
  return right.run(self, call, out, why);
}
const TestPlugin kills_parent = {.run = run_kills_parent};

/* Stops itself and the process that watches over it, in one case; neither ends without help. */
RUN(stops_itself) {
  if (is_the_case(call)) {
    kill(getppid(), SIGSTOP);
    kill(getpid(), SIGSTOP);
  }
  return right.run(self, call, out, why);
}
const TestPlugin stops_itself = {.run = run_stops_itself};

/* Ignores requests to end, and starts a process in a separate session that would outlive all others. */
RUN(leaves_process) {
  if (is_the_case(call) && fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (;;)
      pause();
  }
  return right.run(self, call, out, why);
}
static void open_leaves_process(certile_plugin* plugin) {
  (void)plugin;
  for (int number = SIGHUP; number <= SIGTERM; ++number)
    if (number != SIGKILL) signal(number, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
}
const TestPlugin leaves_process = {.run = run_leaves_process, .open = open_leaves_process};

/* Closes every descriptor that it can guess in one case. */
RUN(closes_descriptors) {
  for (int descriptor = 0; is_the_case(call) && descriptor < 1024; ++descriptor)
    close(descriptor);
  return right.run(self, call, out, why);
}
const TestPlugin closes_descriptors = {.run = run_closes_descriptors};

/* Takes 8 GiB in one case, or all that is available, and then reports that no memory is left. */
RUN(memory_flood) {
  enum { chunks = 128 };
  const size_t chunk = (size_t)64 << 20;
  char* memory[chunks];
  int taken = 0;
  if (!is_the_case(call)) return right.run(self, call, out, why);
  while (taken < chunks && (memory[taken] = malloc(chunk)) != NULL)
    memset(memory[taken++], 1, chunk);
  while (taken > 0)
    free(memory[--taken]);
  snprintf(why->utf8, why->capacity, "no memory is left");
  return CERTILE_NO_MEMORY;
}
const TestPlugin memory_flood = {.run = run_memory_flood};

/* Overwrites, in one case, all writable memory that its process shares with another. */
static void scribble(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin = 0, end = 0;
    char access[5] = "";
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3) continue;
    if (strcmp(access, "rw-s") == 0) memset((void*)begin, 0xff, end - begin);
  }
}

RUN(scribbles) {
  if (is_the_case(call)) scribble();
  return right.run(self, call, out, why);
}
const TestPlugin scribbles = {.run = run_scribbles};
