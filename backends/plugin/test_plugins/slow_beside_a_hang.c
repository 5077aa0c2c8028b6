/* Never returns from a call whose data has three elements, and takes one and a half seconds for one whose
 * data has four. */
#include <time.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  volatile int forever = first == 3;
  while (forever) {
  }
  const struct timespec pause = {1, 500000000};
  if (first == 4) nanosleep(&pause, 0);
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "slow-beside-a-hang");
  plugin->run = run;
  return status;
}
