/* Has a future ABI major. */
#include "right.h"

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "wrong-major");
  plugin->abi_major = CERTILE_ABI_MAJOR + 1;
  plugin->destroy = NULL;
  return status;
}
