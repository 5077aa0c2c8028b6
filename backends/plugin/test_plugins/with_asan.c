/* Writes past a block in one case if its environment says WRONG, which only AddressSanitizer notices. */
#include <stdlib.h>

#include "test_plugin.h"

certile_plugin right;

RUN(with_asan) {
  volatile char* const block = malloc((size_t)call->data->rank);
  if (is_the_case(call) && getenv("WRONG") != NULL) block[call->data->rank] = 1;
  free((void*)block);
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = right_open(host_major, host_minor, plugin);
  right = *plugin;
  plugin->name = "with-asan";
  plugin->run = run_with_asan;
  return status;
}
