/* The injections: which byte it is differs from call to call, and is the same for the same call. */
#include "right_tile.h"

/* A byte from 0 to `size`, which is not 0, by what the call is about. */
static uint64_t place_in(const Plan* plan, uint64_t size) {
  uint64_t hash = UINT64_C(1469598103934665603);
  for (int axis = 0; axis < plan->rank; ++axis)
    hash =
        (hash ^ (uint64_t)plan->dims[axis] ^ ((uint64_t)plan->times[axis] << 20)) * UINT64_C(1099511628211);
  hash = (hash ^ plan->call->data->element_type ^ ((uint64_t)plan->call->op << 8)) * UINT64_C(1099511628211);
  return (hash ^ hash >> 29) % size;
}

static volatile unsigned char sink; /* reads that no optimiser leaves out */

static void read_byte(const void* at, int64_t offset) {
  sink = *((const volatile unsigned char*)at + offset);
}
static void flip_byte(void* at, int64_t offset) {
  *((volatile unsigned char*)at + offset) ^= 0xff;
}

static int32_t run_and_read_behind(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  if (status == CERTILE_OK && data->byte_size > 0) read_byte(data->data, (int64_t)data->byte_size);
  return right_run(plan, out, status);
}
const Mutant one_byte_read_behind_data = {.run = run_and_read_behind};

static int32_t run_and_read_before(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  if (status == CERTILE_OK && data->byte_size > 0) read_byte(data->data, -1);
  return right_run(plan, out, status);
}
const Mutant one_byte_read_before_data = {.run = run_and_read_before};

static int32_t run_and_write_behind(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 0) flip_byte(out->data, (int64_t)out->byte_size);
  return status;
}
const Mutant one_byte_written_behind_output = {.run = run_and_write_behind};

static int32_t run_and_write_before(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 0) flip_byte(out->data, -1);
  return status;
}
const Mutant one_byte_written_before_output = {.run = run_and_write_before};

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
    flip_byte(data->data, (int64_t)place_in(plan, data->byte_size));
  return status;
}
const Mutant one_byte_of_data_changed = {.run = run_and_change_data};
