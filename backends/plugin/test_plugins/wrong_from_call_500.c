/* Is wrong from its 500th call on, counted over all threads. */
#include "right.h"

static int calls;

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) >= 499 && status == CERTILE_OK && out->byte_size > 0)
    *(volatile unsigned char*)out->data ^= 1;
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "wrong-from-call-500");
  plugin->run = run;
  return status;
}
