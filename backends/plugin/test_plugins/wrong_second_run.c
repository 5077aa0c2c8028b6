/* Is wrong in every second call with data of rank 2. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  static int calls;
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && call->data->rank == 2 && ++calls % 2 == 0)
    *(unsigned char*)out->data ^= 1;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "wrong-second-run");
  plugin->run = run;
  return status;
}
