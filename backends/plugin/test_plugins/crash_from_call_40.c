/* Ends its process by a signal in its fortieth call, more than judging a case takes and fewer than timing it.
 */
#include <stdlib.h>

#include "right.h"

static int calls;

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (++calls == 40) abort();
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "crash-from-call-40");
  plugin->run = run;
  return status;
}
