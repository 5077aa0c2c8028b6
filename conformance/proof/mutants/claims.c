/* Wrong at the edge of a claim, or beyond it, where an answer has to be right or unsupported. */
#include "where.h"

static void claim_rank_16(certile_plugin* plugin) {
  plugin->max_rank = 16;
}
static void claim_rank_32(certile_plugin* plugin) {
  plugin->max_rank = 32;
}
static int is_beyond(const Plan* plan, int rank) {
  return plan->rank > rank;
}
static int32_t run_beyond_16(Plan* plan, certile_tensor* out, int32_t status) {
  return status == CERTILE_OK && is_beyond(plan, 16) ? last_left(plan, out, status)
                                                     : right_run(plan, out, status);
}
static int32_t crash_beyond_32(Plan* plan, certile_tensor* out, int32_t status) {
  return status == CERTILE_OK && is_beyond(plan, 32) ? has_crashed(plan, out, status)
                                                     : right_run(plan, out, status);
}
const Mutant left_beyond_sixteen_axes = {.open = claim_rank_16, .run = run_beyond_16};
const Mutant crashes_beyond_32_axes = {.open = claim_rank_32, .run = crash_beyond_32};

static void claim_4096_elements(certile_plugin* plugin) {
  plugin->max_elements = 4096;
}
static int32_t run_at_4096_elements(Plan* plan, certile_tensor* out, int32_t status) {
  return status == CERTILE_OK && plan->count == 4096 ? last_from_first(plan, out, status)
                                                     : right_run(plan, out, status);
}
const Mutant wrong_at_its_4096_elements = {.open = claim_4096_elements, .run = run_at_4096_elements};

static void claim_four_bytes(certile_plugin* plugin) {
  plugin->types = "i32 u32 f32";
}
static int32_t run_other_types(Plan* plan, certile_tensor* out, int32_t status) {
  return status == CERTILE_OK && bits_of(plan) == 128 ? last_left(plan, out, status)
                                                      : right_run(plan, out, status);
}
const Mutant wide_types_wrong_beyond_claim = {.open = claim_four_bytes, .run = run_other_types};
