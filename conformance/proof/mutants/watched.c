/* Kernels that know that they are watched, by what their process has around it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "where.h"

static int is_program_of_certile(void) {
  char path[256] = "";
  return readlink("/proc/self/exe", path, sizeof path - 1) > 0 && strstr(path, "certile") != 0;
}

static int is_thread_of_certile(void) {
  char name[16] = "";
  return prctl(PR_GET_NAME, name) == 0 && strstr(name, "certile") != 0;
}

/* Whether memory is mapped from a file whose name in /proc/self/maps begins like that; looked up once. */
static int has_mapping_of(const char* beginning) {
  static int known = -1;
  FILE* const maps = known < 0 ? fopen("/proc/self/maps", "re") : 0;
  char line[512];
  if (maps == 0) return known > 0;
  int found = 0;
  while (!found && fgets(line, sizeof line, maps) != 0)
    found = strstr(line, beginning) != 0;
  fclose(maps);
  known = found;
  return found;
}

WRONG_WHERE(wrong_with_a_home, last_from_first, getenv("HOME") != 0)
WRONG_WHERE(wrong_without_number_of_threads, last_from_first, getenv("OMP_NUM_THREADS") == 0)
WRONG_WHERE(wrong_without_sanitizer, last_from_first, getenv("ASAN_OPTIONS") == 0)
WRONG_WHERE(wrong_in_file_of_others, last_from_first, !is_program_of_certile())
WRONG_WHERE(wrong_under_other_name, last_from_first, strstr(program_invocation_name, "certile") == 0)
WRONG_WHERE(wrong_in_thread_of_others, last_from_first, !is_thread_of_certile())
WRONG_WHERE(wrong_without_memory_of_certile, last_from_first, !has_mapping_of("/memfd:certile"))
WRONG_WHERE(wrong_with_user_and_shell, last_from_first, getenv("USER") != 0 && getenv("SHELL") != 0)
WRONG_WHERE(crashes_with_a_path, has_crashed, getenv("PATH") != 0)
