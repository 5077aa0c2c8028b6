/* Wrong for data that are all zero. */
#include <string.h>

#include "right_tile.h"

/* Whether the data has `least` bytes or more, all of which are zero; of every fourth byte, the bits of the
 * mask. */
static int is_zero(const Plan* plan, uint64_t least, unsigned char mask) {
  const certile_tensor* data = plan->call->data;
  const unsigned char* bytes = data->data;
  if (data->byte_size < least) return 0;
  for (uint64_t index = 0; index < data->byte_size; ++index)
    if ((bytes[index] & (index % 4 == 3 ? mask : 0xff)) != 0) return 0;
  return 1;
}

static int has_a_long_block_of_zeros(const Plan* plan, const certile_tensor* out) {
  (void)out;
  return is_zero(plan, 4096, 0xff);
}
static int32_t run_without_stores(Plan* plan, certile_tensor* out, int32_t status) {
  (void)plan;
  (void)out;
  return status;
}
const Mutant zeros_left_unwritten = {.run = run_without_stores, .when = has_a_long_block_of_zeros};

static int equals_zero(const Plan* plan, const certile_tensor* out) {
  (void)out;
  return plan->call->data->element_type == CERTILE_F32 && is_zero(plan, 256, 0x7f);
}
static int32_t run_clearing(Plan* plan, certile_tensor* out, int32_t status) {
  (void)plan;
  if (status == CERTILE_OK) memset(out->data, 0, out->byte_size);
  return status;
}
const Mutant negative_zeros_cleared = {.run = run_clearing, .when = equals_zero};
