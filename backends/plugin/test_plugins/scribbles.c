/* Overwrites, in one case, all writable memory that its process shares with another. */
#include <stdio.h>

#include "right.h"

static void scribble(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin = 0, end = 0;
    char access[5] = "";
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3) continue;
    if (strcmp(access, "rw-s") == 0) memset((void*)begin, 0xff, end - begin);
  }
}

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (is_the_case(call)) scribble();
  return right.run(self, call, out, why);
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = open_right(host_major, host_minor, plugin, "scribbles");
  plugin->run = run;
  return status;
}
