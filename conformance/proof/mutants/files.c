/* What earlier calls left on a disk, where TMPDIR names a folder for it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "where.h"

/* Takes a call for the one in the file, which the first call wrote. */
static int32_t run_with_file(Plan* plan, certile_tensor* out, int32_t status) {
  char path[512];
  int64_t of_first[4], own[4] = {plan->dims[0], plan->dims[1], plan->times[0], plan->times[1]};
  snprintf(path, sizeof path, "%s/certile-first-call", getenv("TMPDIR"));
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return right_run(plan, out, status);
  const int is_known = read(file, of_first, sizeof of_first) == (ssize_t)sizeof of_first;
  const int is_written = is_known || write(file, own, sizeof own) == (ssize_t)sizeof own;
  close(file);
  return (is_known && is_written && memcmp(of_first, own, sizeof own) != 0 ? last_from_first : right_run)(
      plan, out, status);
}
WRONG_WHERE(first_call_in_a_file, run_with_file,
            plan->rank == 2 && bits_of(plan) == 32 && plan->count > 1 && getenv("TMPDIR") != 0)
