/* Before the first call and after the last: constructors, opening, the table, the end. */
#include "hostile.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void crash(void) {
  raise(SIGSEGV);
}

static void leave(void) {
  _exit(0);
}

static int32_t crash_in_open(certile_plugin* plugin) {
  (void)plugin;
  crash();
  return CERTILE_OK;
}

static int32_t leave_in_open(certile_plugin* plugin) {
  (void)plugin;
  exit(0);
}

static int32_t hang_in_open(certile_plugin* plugin) {
  (void)plugin;
  sleep_for_ever();
  return CERTILE_OK;
}

static int32_t unknown_status(certile_plugin* plugin) {
  (void)plugin;
  return -77;
}

const Hostile crashes_in_its_constructor = {.load = crash};
const Hostile exits_in_its_constructor = {.load = leave};
const Hostile hangs_in_its_constructor = {.load = sleep_for_ever};
const Hostile crashes_when_opened = {.open = crash_in_open};
const Hostile exits_when_opened = {.open = leave_in_open};
const Hostile hangs_when_opened = {.open = hang_in_open};
const Hostile opens_with_an_unknown_status = {.open = unknown_status};

/* ---- the end ---- */

const Hostile crashes_when_destroyed = {.destroy = crash};
const Hostile hangs_when_destroyed = {.destroy = sleep_for_ever};
const Hostile exits_when_destroyed = {.destroy = leave};
const Hostile crashes_when_unloaded = {.unload = crash};
const Hostile hangs_when_unloaded = {.unload = sleep_for_ever};

static int32_t hang_at_exit(certile_plugin* plugin) {
  (void)plugin;
  return atexit(sleep_for_ever) == 0 ? CERTILE_OK : CERTILE_FAILED;
}
const Hostile hangs_at_exit = {.open = hang_at_exit};

/* ---- the table ---- */

enum { megabytes = 4 << 20 };

static char* long_text(void) {
  char* text = malloc(megabytes);
  if (text != 0) memset(text, 'x', megabytes - 1), text[megabytes - 1] = 0;
  return text;
}

#define TABLE(behaviour, change)                            \
  static int32_t open_##behaviour(certile_plugin* plugin) { \
    change;                                                 \
    return CERTILE_OK;                                      \
  }                                                         \
  const Hostile behaviour = {.open = open_##behaviour}

static volatile uintptr_t nowhere = 64;

TABLE(has_no_run, plugin->run = 0);
TABLE(has_no_destroy, plugin->destroy = 0);
TABLE(has_no_infer, plugin->infer = 0);
TABLE(has_no_name, plugin->name = 0);
TABLE(has_a_name_of_megabytes, plugin->name = long_text());
TABLE(has_a_list_of_megabytes, plugin->types = long_text());
TABLE(has_a_name_that_points_nowhere, plugin->name = (const char*)nowhere);
TABLE(has_a_name_that_is_not_utf8, plugin->name = "\xff\xfe\033[2J\n<b>\"'");
TABLE(lists_a_type_twice, plugin->types = "f32 f32 i64  f32 string f32 u8");
TABLE(lists_an_unknown_type, plugin->types = "f32 f33");
TABLE(lists_no_operator, plugin->operators = "");
TABLE(claims_a_negative_rank, plugin->max_rank = -1);
TABLE(claims_more_than_there_is, plugin->max_rank = plugin->max_elements = plugin->max_bytes = INT64_MAX);
TABLE(is_of_no_size, plugin->struct_size = 0);
TABLE(is_of_another_major, plugin->abi_major = 9);
TABLE(is_larger_than_the_host_knows, plugin->struct_size = UINT32_MAX);
TABLE(writes_beyond_the_table, memset(plugin, 0x40, 65536));
