/* Is right only if the output begins at a multiple of 64 bytes. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && (uintptr_t)out->data % 64 != 0)
    *(volatile unsigned char*)out->data ^= 1;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "misplaced");
  plugin->run = run;
  return status;
}
