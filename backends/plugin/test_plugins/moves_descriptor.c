/* Returns the input's memory as the output if both are equal. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && out->byte_size == call->data->byte_size)
    out->data = call->data->data;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "moves-descriptor");
  plugin->run = run;
  return status;
}
