/* Reads one byte past the data; its answers are right. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (call->data->byte_size > 0) (void)((const volatile char*)call->data->data)[call->data->byte_size];
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "over-reads");
  plugin->run = run;
  return status;
}
