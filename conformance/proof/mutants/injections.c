/* The injections: the byte differs from call to call, and is the same for the same call. */
#include "right_tile.h"

/* Returns the position of a byte below `size`, which is not 0, that depends on the call. */
static uint64_t place_in(const Plan* plan, uint64_t size) {
  uint64_t hash = UINT64_C(1469598103934665603);
  for (int axis = 0; axis < plan->rank; ++axis)
    hash =
        (hash ^ (uint64_t)plan->dims[axis] ^ ((uint64_t)plan->times[axis] << 20)) * UINT64_C(1099511628211);
  hash = (hash ^ plan->call->data->element_type ^ ((uint64_t)plan->call->op << 8)) * UINT64_C(1099511628211);
  return (hash ^ hash >> 29) % size;
}

static int32_t run_and_read_behind(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  /* volatile, so that no optimiser removes it */
  if (status == CERTILE_OK && data->byte_size > 0)
    (void)((const volatile unsigned char*)data->data)[data->byte_size];
  return right_run(plan, out, status);
}
const Mutant one_byte_read_behind_data = {.run = run_and_read_behind};

static int32_t run_and_leave_one(Plan* plan, certile_tensor* out, int32_t status) {
  if (status != CERTILE_OK || out->byte_size == 0) return right_run(plan, out, status);
  unsigned char* left = (unsigned char*)out->data + place_in(plan, out->byte_size);
  const unsigned char before = *left;
  status = right_run(plan, out, status);
  *left = before;
  return status;
}
const Mutant one_byte_not_written = {.run = run_and_leave_one};

static int32_t run_and_change_data(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && data->byte_size > 0)
    ((volatile unsigned char*)data->data)[place_in(plan, data->byte_size)] ^= 0xff;
  return status;
}
const Mutant one_byte_of_data_changed = {.run = run_and_change_data};
