/* Says why, and aborts while it is loaded, before any call. */
#include <stdio.h>
#include <stdlib.h>

#include "right.h"

__attribute__((constructor)) static void crash(void) {
  fputs("the licence server was not found\nask its owner\n", stderr);
  abort();
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  return open_right(host_major, host_minor, plugin, "crash-while-loading");
}
