/* Never returns from one case, and is right in all others. */
#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  volatile int forever = is_the_case(call);
  while (forever) {
  }
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "hang");
  plugin->run = run;
  return status;
}
