/* Leaks a megabyte in every call, until no memory is left. */
#include <stdio.h>
#include <stdlib.h>

#include "right.h"

static void* volatile kept;

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  void** block = malloc((size_t)1 << 20);
  if (block == NULL) {
    snprintf(why->utf8, why->capacity, "no memory is left");
    return CERTILE_NO_MEMORY;
  }
  *block = kept;
  kept = block;
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "leaks");
  plugin->run = run;
  return status;
}
