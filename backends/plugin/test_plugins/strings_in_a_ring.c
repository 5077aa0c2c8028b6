/* Copies the characters of strings into one of 16 blocks, which all calls use in turn; a thread that calls
 * again gets its own block again. */
#include "right.h"

enum { BLOCKS = 16, BLOCK = 1 << 16 };

static char blocks[BLOCKS][BLOCK];
static int next;

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  static __thread int own = -1;
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->element_type != CERTILE_STRING) return status;
  if (own < 0) own = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % BLOCKS;
  certile_string* const strings = out->data;
  uint64_t used = 0;
  for (uint64_t index = 0; index < out->byte_size / sizeof *strings; ++index) {
    if (used + strings[index].size > BLOCK) return CERTILE_NO_MEMORY;
    if (strings[index].size > 0) memcpy(blocks[own] + used, strings[index].bytes, strings[index].size);
    strings[index].bytes = blocks[own] + used;
    used += strings[index].size;
  }
  return status;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "strings-in-a-ring");
  plugin->run = run;
  return status;
}
