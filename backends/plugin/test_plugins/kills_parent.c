/* Kills the process that watches over it in one case, and waits for the consequences. */
#include <signal.h>
#include <unistd.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const pid_t parent = getppid();
  if (is_the_case(call)) kill(parent, SIGKILL);
  while (is_the_case(call) && getppid() == parent)
    pause();
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "kills-parent");
  plugin->run = run;
  return status;
}
