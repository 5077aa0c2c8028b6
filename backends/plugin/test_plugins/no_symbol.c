/* A library that lacks certile_plugin_open. */
#include "right.h"

int32_t certile_plugin_opens(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin);
int32_t certile_plugin_opens(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  return open_right(host_major, host_minor, plugin, "no-symbol");
}
