/* The plugins whose answers depend on earlier or simultaneous calls, or which change their process. */
#include "test_plugin.h"

#include <fenv.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Remembers the repeats of its first 1-D call, and repeats no more often than that in later ones (M49). */
RUN(stateful) {
  static int64_t first_times;
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->byte_size == 0 || call->data->rank != 1) return status;
  const int64_t times = ((const int64_t*)call->repeats->data)[0];
  if (first_times == 0) first_times = times;
  if (first_times < times) {
    const uint64_t block = call->data->byte_size;
    memset((char*)out->data + block * (uint64_t)first_times, 0,
           (size_t)(block * (uint64_t)(times - first_times)));
  }
  return status;
}
const TestPlugin stateful = {.run = run_stateful};

/* Is wrong in every second call with data of rank 2. */
RUN(wrong_second_run) {
  static int calls;
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && call->data->rank == 2 && ++calls % 2 == 0)
    *(unsigned char*)out->data ^= 1;
  return status;
}
const TestPlugin wrong_second_run = {.run = run_wrong_second_run};

/* Is wrong from its 500th call on, counted over all threads. */
RUN(wrong_from_call_500) {
  static int calls;
  const int32_t status = right.run(self, call, out, why);
  if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) >= 499 && status == CERTILE_OK && out->byte_size > 0)
    *(volatile unsigned char*)out->data ^= 1;
  return status;
}
const TestPlugin wrong_from_call_500 = {.run = run_wrong_from_call_500};

/* Keeps its last answer, and gives it again if the data have the same address and the output the same size.
 */
RUN(caches_by_address) {
  static const void* last_data;
  static uint64_t last_size;
  static char kept[4096];
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->byte_size == 0 || out->byte_size > sizeof kept) return status;
  if (call->data->element_type == CERTILE_STRING) return status;
  if (last_data == call->data->data && last_size == out->byte_size) {
    memcpy(out->data, kept, out->byte_size);
    return status;
  }
  memcpy(kept, out->data, out->byte_size);
  last_data = call->data->data;
  last_size = out->byte_size;
  return status;
}
const TestPlugin caches_by_address = {.run = run_caches_by_address};

/* Remembers the plans of calls by the digits of their sizes and repeats, so that 19 x 5 and 1 x 95 have one.
 */
RUN(keys_by_digits) {
  enum { most = 4096 };
  static struct {
    char key[64];
    int64_t first;
  } plans[most];
  static int count;
  const int32_t status = right.run(self, call, out, why);
  const certile_tensor* const repeats = call->repeats;
  if (status != CERTILE_OK || out->byte_size == 0 || call->data->rank != 1) return status;
  if (repeats->element_type != CERTILE_I64 || repeats->byte_size != 8) return status;
  int64_t repeat;
  memcpy(&repeat, repeats->data, sizeof repeat);
  char key[64];
  snprintf(key, sizeof key, "%lld%lld", (long long)call->data->shape[0], (long long)repeat);
  for (int index = 0; index < count; ++index) {
    if (strcmp(plans[index].key, key) != 0) continue;
    if (plans[index].first != call->data->shape[0]) memset(out->data, 0, out->byte_size);
    return status;
  }
  if (count == most) return status;
  strcpy(plans[count].key, key);
  plans[count++].first = call->data->shape[0];
  return status;
}
const TestPlugin keys_by_digits = {.run = run_keys_by_digits};

/* Puts its answer together in memory that all threads share. */
RUN(races) {
  static char scratch[1 << 20];
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->byte_size == 0 || out->byte_size > sizeof scratch) return status;
  memcpy(scratch, out->data, (size_t)out->byte_size);
  sched_yield();
  memcpy(out->data, scratch, (size_t)out->byte_size);
  return status;
}
const TestPlugin races = {.run = run_races};

/* Takes what the first call prepares for ready while that call still prepares it, which takes some
 * microseconds; where all threads share a processor, others have it then. */
static int64_t nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

RUN(races_when_first_called) {
  static atomic_int is_begun, is_ready;
  if (atomic_exchange(&is_begun, 1) == 0) {
    for (const int64_t end = nanoseconds_now() + 3000; nanoseconds_now() < end;)
      sched_yield();
    atomic_store(&is_ready, 1);
  }
  const int is_too_early = atomic_load(&is_ready) == 0;
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && is_too_early && out->byte_size > 0) *(unsigned char*)out->data ^= 1;
  return status;
}
const TestPlugin races_when_first_called = {.run = run_races_when_first_called};

/* Copies the characters of strings into one of 16 blocks, which all calls use in turn; a thread that calls
 * again gets its own block again. */
RUN(strings_in_a_ring) {
  enum { BLOCKS = 16, BLOCK = 1 << 16 };
  static char blocks[BLOCKS][BLOCK];
  static int next;
  static __thread int own = -1;
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->element_type != CERTILE_STRING) return status;
  if (own < 0) own = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % BLOCKS;
  certile_string* const strings = out->data;
  uint64_t used = 0;
  for (uint64_t index = 0; index < out->byte_size / sizeof *strings; ++index) {
    if (used + strings[index].size > BLOCK) return CERTILE_NO_MEMORY;
    if (strings[index].size > 0) memcpy(blocks[own] + used, strings[index].bytes, strings[index].size);
    strings[index].bytes = blocks[own] + used;
    used += strings[index].size;
  }
  return status;
}
const TestPlugin strings_in_a_ring = {.run = run_strings_in_a_ring};

static void on_signal(int number) {
  (void)number;
}

/* Sets a signal handler, which it may, and the locale in its first call, like a runtime that starts late. */
RUN(sets_up_once) {
  static int is_set_up;
  if (!is_set_up) {
    signal(SIGUSR2, on_signal);
    setlocale(LC_ALL, "C");
  }
  is_set_up = 1;
  return right.run(self, call, out, why);
}
const TestPlugin sets_up_once = {.run = run_sets_up_once};

/* Sets a signal handler and the locale in every call, like a library that forgets that it is set up. */
RUN(sets_up_always) {
  signal(SIGUSR2, on_signal);
  setlocale(LC_ALL, "C");
  return right.run(self, call, out, why);
}
const TestPlugin sets_up_always = {.run = run_sets_up_always};

/* Sets the rounding of the thread that opens it, as a library that is linked with fast mathematics does when
 * it is loaded. */
static void open_rounds_when_opened(certile_plugin* plugin) {
  (void)plugin;
  fesetround(FE_TOWARDZERO);
}
const TestPlugin rounds_when_opened = {.open = open_rounds_when_opened};

/* Pins the calling thread to a processor, and afterwards lets it use all of them, as if it had before. */
RUN(frees_its_thread) {
  cpu_set_t one, all;
  CPU_ZERO(&one);
  CPU_ZERO(&all);
  CPU_SET((unsigned)sched_getcpu(), &one);
  for (long processor = 0; processor < sysconf(_SC_NPROCESSORS_CONF); ++processor)
    CPU_SET((unsigned)processor, &all);
  sched_setaffinity(0, sizeof one, &one);
  const int32_t status = right.run(self, call, out, why);
  sched_setaffinity(0, sizeof all, &all);
  return status;
}
const TestPlugin frees_its_thread = {.run = run_frees_its_thread};

/* Leaks a megabyte in every call, until no memory is left. */
RUN(leaks) {
  static void* volatile kept;
  void** block = malloc((size_t)1 << 20);
  if (block == NULL) {
    snprintf(why->utf8, why->capacity, "no memory is left");
    return CERTILE_NO_MEMORY;
  }
  *block = kept;
  kept = block;
  return right.run(self, call, out, why);
}
const TestPlugin leaks = {.run = run_leaks};

/* Ignores a signal from a call whose data has three elements on, and ends the process in one with four. */
RUN(crashes_after_a_change) {
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  if (first == 3) signal(SIGUSR2, SIG_IGN);
  if (first == 4) abort();
  return right.run(self, call, out, why);
}
const TestPlugin crashes_after_a_change = {.run = run_crashes_after_a_change};
