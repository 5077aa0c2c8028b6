/* The entry point of every test plugin: one library for all, whose file name selects the behaviour. */
#include "test_plugin.h"

#include <dlfcn.h>
#include <stdio.h>

/* clang-format off */
#define PLUGIN(name) extern const TestPlugin name;
#include "plugins.inc"
#undef PLUGIN

static const struct { const char* name; const TestPlugin* plugin; } all[] = {
#define PLUGIN(name) {#name, &name},
#include "plugins.inc"
};
/* clang-format on */

certile_plugin right;
static char own_name[32];
static const TestPlugin* chosen;

/* Chooses slow_at_first for …/slow_at_first.so, whose table says slow-at-first. */
static void choose(void) {
  Dl_info here;
  if (dladdr(&right, &here) == 0 || here.dli_fname == 0) return;
  const char* slash = strrchr(here.dli_fname, '/');
  const char* file = slash != 0 ? slash + 1 : here.dli_fname;
  const size_t length = strcspn(file, ".");
  for (size_t each = 0; each < sizeof all / sizeof *all; ++each) {
    if (strlen(all[each].name) != length || strncmp(all[each].name, file, length) != 0) continue;
    for (size_t at = 0; at < length && at + 1 < sizeof own_name; ++at)
      own_name[at] = file[at] == '_' ? '-' : file[at];
    chosen = all[each].plugin;
  }
}

__attribute__((constructor)) static void load(void) {
  choose();
  if (chosen != 0 && chosen->load != 0) chosen->load();
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  const int32_t status = right_open(host_major, host_minor, plugin);
  if (status != CERTILE_OK) return status;
  if (chosen == 0) return CERTILE_UNSUPPORTED; /* a name that has no row */
  right = *plugin;
  plugin->name = own_name;
  if (chosen->infer != 0) plugin->infer = chosen->infer;
  if (chosen->run != 0) plugin->run = chosen->run;
  if (chosen->open != 0) chosen->open(plugin);
  return CERTILE_OK;
}
