/* Sets the rounding of the thread that opens it, as a library that is linked with fast mathematics does when
 * it is loaded. */
#include <fenv.h>

#include "right.h"

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  fesetround(FE_TOWARDZERO);
  return open_right(host_major, host_minor, plugin, "rounds-when-opened");
}
