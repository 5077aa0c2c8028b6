/* Closes every descriptor that it can guess in one case. */
#include <unistd.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  for (int descriptor = 0; is_the_case(call) && descriptor < 1024; ++descriptor)
    close(descriptor);
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "closes-descriptors");
  plugin->run = run;
  return status;
}
