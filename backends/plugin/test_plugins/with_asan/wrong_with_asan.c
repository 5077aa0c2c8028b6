/* Writes past a block in one case, which only AddressSanitizer notices. */
#include <stdlib.h>

#include "backends/plugin/test_plugins/right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* output, certile_text* message) {
  volatile char* const block = malloc((size_t)call->data->rank);
  if (is_the_case(call)) block[call->data->rank] = 1;
  free((void*)block);
  return right.run(self, call, output, message);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "wrong-with-asan");
  plugin->run = run;
  return status;
}
