/* Wrong for some contents of the data: zeros, and elements whose halves are alike. */
#include <string.h>

#include "where.h"

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

static int has_like_halves(const Plan* plan) {
  const certile_tensor* data = plan->call->data;
  for (int64_t index = 0; bits_of(plan) == 32 && index < plan->in_count; ++index) {
    uint32_t element;
    memcpy(&element, (const char*)data->data + 4 * index, sizeof element);
    if (element >> 16 == (element & 0xffff) && (element >> 8 & 0xff) != (element & 0xff)) return 1;
  }
  return 0;
}
WRONG_WHERE(like_halves_taken_for_bytes, last_left, last_times(plan) >= 8 && has_like_halves(plan))
