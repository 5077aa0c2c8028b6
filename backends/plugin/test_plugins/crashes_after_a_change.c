/* Ignores a signal from a call whose data has three elements on, and ends the process in one with four. */
#include <signal.h>
#include <stdlib.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int64_t first = call->data->rank == 1 ? call->data->shape[0] : 0;
  if (first == 3) signal(SIGUSR2, SIG_IGN);
  if (first == 4) abort();
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "crashes-after-a-change");
  plugin->run = run;
  return status;
}
