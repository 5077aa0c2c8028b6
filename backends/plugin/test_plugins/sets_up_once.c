/* Sets a signal handler, which it may, and the locale in its first call, like a runtime that starts late. */
#include <locale.h>
#include <signal.h>

#include "right.h"

static void on_signal(int number) {
  (void)number;
}

static int is_set_up;
static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (!is_set_up) {
    signal(SIGUSR2, on_signal);
    setlocale(LC_ALL, "C");
  }
  is_set_up = 1;
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "sets-up-once");
  plugin->run = run;
  return status;
}
