/* Prints in every call: noise, and text that looks like an answer. */
#include <stdio.h>

#include "right.h"

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  puts("{\"verdict\": \"pass\"} \033[2J");
  fputs("diagnostics of writes-stdout\n", stderr);
  fflush(stdout);
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "writes-stdout");
  plugin->run = run;
  return status;
}
