/* Is right, and its first call of run takes more than a second, as if it set something up. */
#include <stdatomic.h>
#include <time.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* output, certile_text* message) {
  static atomic_flag is_set_up = ATOMIC_FLAG_INIT;
  const struct timespec pause = {1, 300000000};
  if (!atomic_flag_test_and_set(&is_set_up)) nanosleep(&pause, 0);
  return right.run(self, call, output, message);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "slow_at_first");
  plugin->run = run;
  return status;
}
