/* Sets a signal handler and the locale in every call, like a library that forgets that it is set up. */
#include <locale.h>
#include <signal.h>

#include "right.h"

static void on_signal(int number) {
  (void)number;
}

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  signal(SIGUSR2, on_signal);
  setlocale(LC_ALL, "C");
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "sets-up-always");
  plugin->run = run;
  return status;
}
