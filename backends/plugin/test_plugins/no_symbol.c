/* A library without the one symbol. */
#include "right.h"

int32_t certile_plugin_opens(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin);
int32_t certile_plugin_opens(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  return open_right(host_major, host_minor, plugin, "no-symbol");
}
