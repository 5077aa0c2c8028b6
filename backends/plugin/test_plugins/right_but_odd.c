#include "test_plugin.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Right, with everything that a library may keep: a file opened at the first call, a pool of threads started
 * at the hundredth, a cache that holds up to 40,000 blocks, a table that doubles as it fills, scratch memory
 * that is mapped once and resized, a variable under its own name in the environment, and blocks that are
 * freed only 1,000 at a time. */
enum { cached_blocks = 40000, pool_threads = 12, batch_size = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* wait_for_work(void* nothing) {
  for (;;)
    pause();
  return nothing;
}

static void set_up_once(long number) {
  static int file = -1;
  if (file < 0) {
    file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    setenv("ODD_LIBRARY_REGISTERED", "1", 1);
  }
  if (number >= 100 && number < 100 + pool_threads) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_work, NULL) == 0) pthread_detach(thread);
  }
}

static void fill_cache(long number) {
  static void* cache[cached_blocks];
  void** place = &cache[number % cached_blocks];
  free(*place);
  *place = malloc(64);
}

static void fill_table(long number) {
  static long* table;
  static size_t room;
  const size_t used = (size_t)(number % (1 << 18));
  if (used >= room) {
    const size_t wanted = room == 0 ? 16 : 2 * room;
    long* larger = realloc(table, wanted * sizeof *table);
    if (larger == NULL) return;
    table = larger;
    room = wanted;
  }
  table[used] = number;
}

static void use_scratch(long number) {
  static void* scratch = MAP_FAILED;
  static size_t size;
  const size_t wanted = (size_t)(1 + number % 64) << 12;
  if (wanted <= size) return;
  if (scratch != MAP_FAILED) munmap(scratch, size);
  scratch = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size = scratch == MAP_FAILED ? 0 : wanted;
}

static void collect_later(long number) {
  static void* batch[batch_size];
  batch[number % batch_size] = malloc(256);
  if (number % batch_size != batch_size - 1) return;
  for (int index = 0; index < batch_size; ++index) {
    free(batch[index]);
    batch[index] = NULL;
  }
}

RUN(right_but_odd) {
  static long calls;
  pthread_mutex_lock(&lock);
  const long number = calls++;
  set_up_once(number);
  fill_cache(number);
  fill_table(number);
  use_scratch(number);
  collect_later(number);
  pthread_mutex_unlock(&lock);
  return right.run(self, call, out, why);
}
const TestPlugin right_but_odd = {.run = run_right_but_odd};
