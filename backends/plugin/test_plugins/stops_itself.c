/* Stops itself and the process that watches over it, in one case; neither ends without help. */
#include <signal.h>
#include <unistd.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (is_the_case(call)) {
    kill(getppid(), SIGSTOP);
    kill(getpid(), SIGSTOP);
  }
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "stops-itself");
  plugin->run = run;
  return status;
}
