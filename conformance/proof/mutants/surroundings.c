/* State of the process and the thread that a call leaves changed. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/stat.h>

#include "where.h"

static int32_t run_masking_files(Plan* plan, certile_tensor* out, int32_t status) {
  umask(077);
  return right_run(plan, out, status);
}
const Mutant mask_for_files_changed = {.run = run_masking_files};

static int32_t run_leaving_stack(Plan* plan, certile_tensor* out, int32_t status) {
  static char room[1 << 16];
  const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  sigaltstack(&stack, 0);
  return right_run(plan, out, status);
}
const Mutant stack_for_signals_left = {.run = run_leaving_stack};
