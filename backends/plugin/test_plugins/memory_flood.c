/* Takes 8 GiB in one case, or all that is available, and then reports that no memory is left. */
#include <stdio.h>
#include <stdlib.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  enum { chunks = 128 };
  const size_t chunk = (size_t)64 << 20;
  char* memory[chunks];
  int taken = 0;
  if (!is_the_case(call)) return right.run(self, call, out, why);
  while (taken < chunks && (memory[taken] = malloc(chunk)) != NULL)
    memset(memory[taken++], 1, chunk);
  while (taken > 0)
    free(memory[--taken]);
  snprintf(why->utf8, why->capacity, "no memory is left");
  return CERTILE_NO_MEMORY;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "memory-flood");
  plugin->run = run;
  return status;
}
