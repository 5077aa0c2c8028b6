/* The peculiarities of onnx-tile-1: tiles along one axis. */
#include <string.h>

#include "right_tile.h"

static int is_one_axis(const Plan* plan) {
  return reading_of(plan->call)->form == ALONG;
}

/* Sets the one repeat again, along another axis. */
static int32_t gather_along(Plan* plan, int64_t (*other)(const Plan*, int64_t axis, int is_negative)) {
  const int32_t status = right_gather(plan);
  if (status != CERTILE_OK || !is_one_axis(plan)) return status;
  const Number tiles = right_read(plan->call->repeats, 0), axis = right_read(plan->call->axis, 0);
  const int64_t magnitude = (int64_t)axis.magnitude;
  const int64_t along = other(plan, axis.negative ? plan->given - magnitude : magnitude, axis.negative);
  for (int index = 0; index < plan->given; ++index)
    plan->repeats[index] = (Number){1, 0, 1};
  plan->repeats[along] = tiles;
  return status;
}

static int64_t mirrored(const Plan* plan, int64_t axis, int is_negative) {
  return is_negative ? axis : plan->given - 1 - axis;
}
static int32_t gather_mirrored(Plan* plan) {
  return gather_along(plan, mirrored);
}
const Mutant axis_counted_from_the_end = {.gather = gather_mirrored};

static int64_t one_too_low(const Plan* plan, int64_t axis, int is_negative) {
  (void)plan;
  return is_negative && axis > 0 ? axis - 1 : axis;
}
static int32_t gather_one_too_low(Plan* plan) {
  return gather_along(plan, one_too_low);
}
const Mutant negative_axis_off_by_one = {.gather = gather_one_too_low};

static int64_t always_the_first(const Plan* plan, int64_t axis, int is_negative) {
  (void)plan;
  return is_negative ? 0 : axis;
}
static int32_t gather_first(Plan* plan) {
  return gather_along(plan, always_the_first);
}
const Mutant negative_axis_is_the_first = {.gather = gather_first};

static int32_t refuse_negative_axis(Plan* plan) {
  const int is_negative = is_one_axis(plan) && right_read(plan->call->axis, 0).negative;
  return is_negative ? say(plan, CERTILE_REJECTED, "the axis is negative") : right_gather(plan);
}
const Mutant negative_axis_refused = {.gather = refuse_negative_axis};

/* Replaces an axis that the data lacks by its last one. */
static int32_t clamp_axis(Plan* plan) {
  if (!is_one_axis(plan) || plan->call->data->rank == 0) return right_gather(plan);
  certile_call inside = *plan->call;
  certile_tensor axis = *inside.axis;
  const Number wanted = right_read(inside.axis, 0);
  int64_t last = inside.data->rank - 1;
  const certile_call* const call = plan->call;
  if (wanted.negative || wanted.magnitude <= (uint64_t)last) return right_gather(plan);
  axis.element_type = CERTILE_I64;
  axis.element_bits = 64;
  axis.data = &last;
  inside.axis = &axis;
  plan->call = &inside;
  const int32_t status = right_gather(plan);
  plan->call = call;
  return status;
}
const Mutant axis_clamped = {.gather = clamp_axis};

/* Exchanges the two numbers. */
static int32_t exchange(Plan* plan) {
  const certile_call* const call = plan->call;
  certile_call other = *call;
  if (!is_one_axis(plan)) return right_gather(plan);
  other.repeats = call->axis;
  other.axis = call->repeats;
  plan->call = &other;
  const int32_t status = right_gather(plan);
  plan->call = call;
  return status;
}
const Mutant tiles_and_axis_exchanged = {.gather = exchange};

/* Makes one copy too many, as if tiles counted the additional ones. */
static int32_t one_more(Plan* plan) {
  const int32_t status = right_gather(plan);
  if (status != CERTILE_OK || !is_one_axis(plan)) return status;
  for (int axis = 0; axis < plan->given; ++axis)
    if (plan->repeats[axis].magnitude > 1) ++plan->repeats[axis].magnitude;
  return status;
}
const Mutant tiles_count_what_is_added = {.gather = one_more};

static int32_t refuse_i64_tiles(Plan* plan) {
  const int is_i64 = is_one_axis(plan) && (plan->call->repeats->element_type == CERTILE_I64 ||
                                           plan->call->axis->element_type == CERTILE_I64);
  return is_i64 ? say(plan, CERTILE_REJECTED, "tiles must be of the data's type") : right_admit(plan);
}
const Mutant i64_tiles_refused = {.admit = refuse_i64_tiles};

static int32_t refuse_vector_of_tiles(Plan* plan) {
  const int is_vector = is_one_axis(plan) && (plan->call->repeats->rank != 0 || plan->call->axis->rank != 0);
  return is_vector ? say(plan, CERTILE_REJECTED, "tiles must be a scalar") : right_admit(plan);
}
const Mutant tiles_of_rank_one_refused = {.admit = refuse_vector_of_tiles};

/* Reads 1.5 as 1. */
static Number read_truncated(const certile_tensor* operand, int64_t index) {
  const Number number = right_read(operand, index);
  float value = 0;
  if (number.whole || operand->element_type != CERTILE_F32) return number;
  memcpy(&value, (const char*)operand->data + (uint64_t)index * sizeof value, sizeof value);
  if (!(value > -1e6f && value < 1e6f)) return number;
  return (Number){1, value <= -1, (uint64_t)(value < 0 ? -value : value)};
}
const Mutant fraction_of_tiles_cut_off = {.read = read_truncated};

/* Accepts several tiles, and uses the first one. */
static int32_t admit_several_tiles(Plan* plan) {
  const certile_call* const call = plan->call;
  certile_call other = *call;
  certile_tensor tiles = *call->repeats;
  if (is_one_axis(plan) && tiles.rank == 1 && tiles.shape[0] > 1) {
    tiles.rank = 0;
    other.repeats = &tiles;
  }
  plan->call = &other;
  const int32_t status = right_admit(plan);
  plan->call = call;
  return status;
}
const Mutant first_of_several_tiles_taken = {.admit = admit_several_tiles};

/* Multiplies the dimensions after the axis as well. */
static int32_t multiply_behind(Plan* plan, int32_t status) {
  int is_behind = 0;
  for (int axis = 0; status == CERTILE_OK && is_one_axis(plan) && axis < plan->rank; ++axis) {
    if (is_behind) plan->shape[axis] *= 2;
    is_behind |= plan->times[axis] > 1;
  }
  return status;
}
const Mutant axes_behind_grow_too = {.infer = multiply_behind};

/* Returns whether the element is a subnormal f16, f32 or f64. */
static int is_subnormal(const certile_tensor* operand, int64_t index) {
  uint64_t element = 0;
  const uint32_t type = operand->element_type, bytes = operand->element_bits / 8;
  if (type != CERTILE_F16 && type != CERTILE_F32 && type != CERTILE_F64) return 0;
  memcpy(&element, (const char*)operand->data + index * bytes, bytes);
  const int fraction = type == CERTILE_F16 ? 10 : type == CERTILE_F32 ? 23 : 52;
  const uint64_t exponent = type == CERTILE_F16 ? 0x1f : type == CERTILE_F32 ? 0xff : 0x7ff;
  return (element >> fraction & exponent) == 0;
}
static Number read_flushing(const certile_tensor* operand, int64_t index) {
  return is_subnormal(operand, index) ? (Number){1, 0, 0} : right_read(operand, index);
}
const Mutant subnormal_tiles_are_zero = {.read = read_flushing};
