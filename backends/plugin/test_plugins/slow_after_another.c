/* After a call whose data has three elements, it never returns from one with five, and takes a second and a
 * half for one with four, which takes 0.6 s before it. */
#include <time.h>

#include "right.h"

static int had_three;

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  if (first == 3) had_three = 1;
  volatile int forever = first == 5 && had_three;
  while (forever) {
  }
  const struct timespec short_pause = {0, 600000000}, long_pause = {1, 500000000};
  if (first == 4) nanosleep(had_three ? &long_pause : &short_pause, 0);
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "slow-after-another");
  plugin->run = run;
  return status;
}
