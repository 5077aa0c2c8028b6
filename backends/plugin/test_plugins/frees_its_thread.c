/* Pins the calling thread to a processor, and afterwards lets it use all of them, as if it had before. */
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
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

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "frees-its-thread");
  plugin->run = run;
  return status;
}
