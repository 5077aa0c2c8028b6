/* Never returns from a right call whose data has three axes or more, the first of them not 1. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int fits = repeats->rank == 1 && repeats->shape[0] == data->rank;
  volatile int forever = fits && data->rank >= 3 && data->shape[0] > 1;
  while (forever) {
  }
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "hang-on-rank-three");
  plugin->run = run;
  return status;
}
