/* Takes one and a half seconds to load, each time. */
#include <time.h>

#include "right.h"

__attribute__((constructor)) static void take_long(void) {
  struct timespec left = {1, 500000000};
  while (nanosleep(&left, &left) != 0) {
  }
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  return open_right(host_major, host_minor, plugin, "slow-to-load");
}
