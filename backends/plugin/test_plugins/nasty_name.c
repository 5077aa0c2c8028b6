/* Its name, version and messages try to write on the reader's terminal. */
#include <stdio.h>

#include "right.h"

static int32_t infer(void* self, const certile_call* call, int64_t* shape, int32_t capacity, int32_t* rank,
                     certile_text* why) {
  const int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK) snprintf(why->utf8, why->capacity, "\033[2J\nverdict: pass\r\a]]>&<%s", "\xff");
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "nasty\033[31m\nname");
  plugin->version = "1\n2\033]0;title\a";
  plugin->infer = infer;
  return status;
}
