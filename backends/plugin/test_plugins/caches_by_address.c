/* Keeps its last answer, and gives it again if the data have the same address and the output the same size.
 */
#include "right.h"

static const void* last_data;
static uint64_t last_size;
static char kept[4096];

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->byte_size == 0 || out->byte_size > sizeof kept) return status;
  if (call->data->element_type == CERTILE_STRING) return status;
  if (last_data == call->data->data && last_size == out->byte_size) {
    memcpy(out->data, kept, out->byte_size);
    return status;
  }
  memcpy(kept, out->data, out->byte_size);
  last_data = call->data->data;
  last_size = out->byte_size;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "caches-by-address");
  plugin->run = run;
  return status;
}
