/* Copies f32 by adding zero, which makes signalling NaNs quiet.  It keeps nothing, so that calls cannot
 * disturb each other. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->element_type != CERTILE_F32) return status;
  for (uint64_t at = 0; at < out->byte_size; at += sizeof(float)) {
    float element = 0;
    memcpy(&element, (char*)out->data + at, sizeof element);
    element = element + 0.0f;
    memcpy((char*)out->data + at, &element, sizeof element);
  }
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "quiets-nans");
  plugin->run = run;
  return status;
}
