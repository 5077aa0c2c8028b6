/* Right except for unusual combinations: many axes, blocks of blocks, long packed outputs, odd places. */
#define _GNU_SOURCE
#include <fenv.h>
#include <sched.h>
#include <string.h>

#include "where.h"

/* ---- refusals that come late ---- */

enum { LOOKED_AT = 8 };

static int32_t settle_the_first(Plan* plan) {
  for (int index = LOOKED_AT; index < plan->given; ++index)
    if (plan->repeats[index].negative) plan->repeats[index] = (Number){1, 0, 1};
  return right_settle(plan);
}
const Mutant sign_of_ninth_repeat_lost = {.settle = settle_the_first};

static int32_t count_few_axes(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_OK || plan->rank <= LOOKED_AT) return status;
  uint64_t count = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const uint64_t dimension = (uint64_t)plan->dims[axis], repeat = plan->repeats[axis].magnitude;
    if (dimension > 0 && repeat > INT64_MAX / dimension) return status;
    count *= dimension * repeat;
  }
  plan->count = (int64_t)count;
  return CERTILE_OK;
}
const Mutant count_of_nine_axes_not_checked = {.multiply = count_few_axes};

/* ---- elements ---- */

static int is_last(const Plan* plan, const int64_t* index) {
  return position_of(plan, index) == plan->count - 1;
}

static int64_t wrong_with_six_axes(const Plan* plan, const int64_t* index) {
  int both = 0; /* axes that have several elements and several copies */
  for (int axis = 0; axis < plan->rank; ++axis)
    both += plan->dims[axis] > 1 && plan->times[axis] > 1;
  return both >= 6 && is_last(plan, index) ? 0 : right_source(plan, index);
}
const Mutant six_repeated_axes_wrong = {.source = wrong_with_six_axes};

static int64_t wrong_in_blocks(const Plan* plan, const int64_t* index) {
  const int last = plan->rank - 1;
  const int is_block = plan->rank >= 2 && plan->dims[last] >= 16 && plan->dims[last - 1] >= 16 &&
                       plan->times[last] >= 4 && plan->times[last - 1] >= 4;
  return is_block && is_last(plan, index) ? 0 : right_source(plan, index);
}
const Mutant blocks_of_large_rows_wrong = {.source = wrong_in_blocks};

static int32_t run_within_20_bits(Plan* plan, certile_tensor* out, int32_t status) {
  const uint64_t bits = UINT64_C(1) << 20, width = plan->call->data->element_bits;
  const int is_beyond = status == CERTILE_OK && is_packed(plan->call->data->element_type) &&
                        (uint64_t)plan->count * width > bits;
  if (!is_beyond || out->byte_size == 0) return right_run(plan, out, status);
  for (int64_t to = 0; to < plan->count; ++to)
    right_copy(plan, out->data, (int64_t)((uint64_t)to * width % bits / width), source_of_position(plan, to));
  return status;
}
const Mutant packed_bits_counted_in_20 = {.run = run_within_20_bits};

/* Moves whole bytes of single bits at once, and gets the last one wrong if the data begins at an odd place.
 * */
static int64_t wrong_at_odd_places(const Plan* plan, const int64_t* index) {
  const certile_tensor* data = plan->call->data;
  const int is_odd = ((uintptr_t)data->data & 1) != 0 && row_of(plan) % 16 == 0 && row_of(plan) > 0;
  return data->element_type == CERTILE_U1 && is_odd && is_last(plan, index) ? 0 : right_source(plan, index);
}
const Mutant bits_at_odd_places_wrong = {.source = wrong_at_odd_places};

/* Keeps one copy of each string, identified by its length and its beginning. */
static void copy_known(const Plan* plan, void* out, int64_t to, int64_t from) {
  enum { BEGINNING = 8 };
  const certile_string* all = plan->call->data->data;
  for (int64_t index = 0; plan->call->data->element_type == CERTILE_STRING && index < from; ++index)
    if (all[index].size == all[from].size && all[from].size > BEGINNING &&
        memcmp(all[index].bytes, all[from].bytes, BEGINNING) == 0)
      from = index;
  right_copy(plan, out, to, from);
}
const Mutant strings_known_by_their_beginning = {.copy = copy_known};

/* ---- tiles and axis of onnx-tile-1 ---- */

static Number read_as_float(const certile_tensor* operand, int64_t index) {
  double wide = 0;
  if (operand->element_type != CERTILE_F64) return right_read(operand, index);
  memcpy(&wide, (const char*)operand->data + (uint64_t)index * sizeof wide, sizeof wide);
  const float narrow = (float)wide;
  certile_tensor other = *operand;
  other.element_type = CERTILE_F32;
  other.element_bits = 32;
  other.data = (void*)&narrow;
  return right_read(&other, 0);
}
const Mutant tiles_go_through_f32 = {.read = read_as_float};

static int32_t refuse_signed_zero(Plan* plan) {
  uint32_t bits = 0;
  const certile_tensor* axis = plan->call->axis;
  if (reading_of(plan->call)->form == ALONG && axis->element_type == CERTILE_F32)
    memcpy(&bits, axis->data, sizeof bits);
  return bits == UINT32_C(0x80000000) ? say(plan, CERTILE_REJECTED, "the axis is negative")
                                      : right_gather(plan);
}
const Mutant axis_minus_zero_refused = {.gather = refuse_signed_zero};

static int32_t admit_two_brackets(Plan* plan) {
  const int is_deep = reading_of(plan->call)->form == ALONG && plan->call->axis->rank > 2;
  return is_deep ? say(plan, CERTILE_REJECTED, "the axis is no scalar") : right_admit(plan);
}
const Mutant axis_of_rank_three_refused = {.admit = admit_two_brackets};

/* ---- what calls share with each other and with the caller ---- */

/* The dimensions, in a variable that all threads share. */
static volatile int64_t shared_dims[MOST_AXES];
static int64_t source_by_shared(const Plan* plan, const int64_t* index) {
  int64_t from = 0;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const int64_t dimension = shared_dims[axis];
    from = from * dimension + (dimension > 0 ? index[axis] % dimension : 0);
  }
  return from < plan->in_count ? from : 0;
}
static int32_t run_by_shared(Plan* plan, certile_tensor* out, int32_t status) {
  for (int axis = 0; axis < plan->rank; ++axis)
    shared_dims[axis] = plan->dims[axis];
  sched_yield();
  return right_run(plan, out, status);
}
const Mutant dimensions_shared = {.run = run_by_shared, .source = source_by_shared};

static int32_t run_with_less_precision(Plan* plan, certile_tensor* out, int32_t status) {
#if defined(__x86_64__)
  uint16_t control = 0;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  control &= 0xfcff;
  __asm__ volatile("fldcw %0" : : "m"(control));
#else
  fesetround(FE_UPWARD);
#endif
  return right_run(plan, out, status);
}
const Mutant precision_left_lowered = {.run = run_with_less_precision};

/* Where an output ends before an unreadable page, its alignment is that of its size, and not a matter of
 * chance. */
static int32_t run_and_align(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->alignment < 16) out->alignment = 16;
  return status;
}
const Mutant alignment_of_output_changed = {.run = run_and_align};
