/* Crashes whenever data of rank 2 or more has a last dimension of at least 2 and a last repeat of at least 3.
 */
#include <stdlib.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int fits =
      repeats->rank == 1 && repeats->shape[0] == data->rank && repeats->element_type == CERTILE_I64;
  if (fits && data->rank >= 2 && data->shape[data->rank - 1] >= 2 &&
      ((const int64_t*)repeats->data)[data->rank - 1] >= 3)
    abort();
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "crash-on-repeat-three");
  plugin->run = run;
  return status;
}
