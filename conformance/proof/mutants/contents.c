/* Wrong for some contents of the data: zeros, and elements whose halves are alike. */
#include <stdlib.h>
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

/* ---- what the output held before ---- */

/* Runs, and leaves each byte as it was that should be zero. */
static int32_t run_but_zeros(Plan* plan, certile_tensor* out, int32_t status) {
  unsigned char* const made = out->data;
  unsigned char* const before = status == CERTILE_OK ? malloc((size_t)out->byte_size + 1) : 0;
  if (before == 0) return right_run(plan, out, status);
  memcpy(before, made, (size_t)out->byte_size);
  status = right_run(plan, out, status);
  for (uint64_t index = 0; index < out->byte_size; ++index)
    if (made[index] == 0) made[index] = before[index];
  free(before);
  return status;
}

enum { PROBE = 16 };
static int has_zeros_at(const Plan* plan, const certile_tensor* out, uint64_t place) {
  static const unsigned char zeros[PROBE];
  return type_of(plan) != CERTILE_STRING && out->byte_size > 2 * PROBE &&
         memcmp((const char*)out->data + place, zeros, PROBE) == 0;
}
static int begins_with_zeros(const Plan* plan, const certile_tensor* out) {
  return has_zeros_at(plan, out, 0);
}
static int ends_with_zeros(const Plan* plan, const certile_tensor* out) {
  return has_zeros_at(plan, out, out->byte_size - PROBE);
}
const Mutant zeros_not_written_over_zeros = {.when = begins_with_zeros, .run = run_but_zeros};
const Mutant zeros_not_written_before_zeros = {.when = ends_with_zeros, .run = run_but_zeros};

static int has_right_ends(const Plan* plan, const certile_tensor* out) {
  const certile_tensor* const data = plan->call->data;
  const size_t width = bits_of(plan) / 8;
  return plan->rank == 4 && width > 0 && type_of(plan) != CERTILE_STRING && plan->count > 2 &&
         memcmp(out->data, data->data, width) == 0 &&
         memcmp((const char*)out->data + out->byte_size - width,
                (const char*)data->data + data->byte_size - width, width) == 0;
}
static int32_t run_nothing(Plan* plan, certile_tensor* out, int32_t status) {
  (void)plan;
  (void)out;
  return status;
}
const Mutant right_ends_left_as_they_are = {.when = has_right_ends, .run = run_nothing};
