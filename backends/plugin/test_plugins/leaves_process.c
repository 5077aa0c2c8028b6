/* Ignores requests to end, and starts a process in a separate session that would outlive all others. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (is_the_case(call) && fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (;;)
      pause();
  }
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "leaves-process");
  for (int number = SIGHUP; number <= SIGTERM; ++number)
    if (number != SIGKILL) signal(number, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
  plugin->run = run;
  return status;
}
