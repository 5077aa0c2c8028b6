/* Is right; built with AddressSanitizer. */
#include "backends/plugin/test_plugins/right.h"

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  return open_right(host_major, host_minor, plugin, "right-with-asan");
}
