/* Is right, and takes a millisecond for each call of run, as the library of a device may. */
#include <time.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* output, certile_text* message) {
  const struct timespec pause = {0, 1000000};
  nanosleep(&pause, 0);
  return right.run(self, call, output, message);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "slow_in_many_calls");
  plugin->run = run;
  return status;
}
