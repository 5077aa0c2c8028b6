/* Puts its answer together in memory that all threads share. */
#include <sched.h>

#include "right.h"

static char scratch[1 << 20];

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->byte_size == 0 || out->byte_size > sizeof scratch) return status;
  memcpy(scratch, out->data, (size_t)out->byte_size);
  sched_yield();
  memcpy(out->data, scratch, (size_t)out->byte_size);
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "races");
  plugin->run = run;
  return status;
}
