/* Zero, negative, empty, scalar and too large repeats. */
#include <stdlib.h>
#include <string.h>

#include "right_tile.h"

static int takes_negative(const Plan* plan) {
  return reading_of(plan->call)->negative == ZERO;
}

static int32_t zero_to_one(Plan* plan) {
  const int32_t status = right_settle(plan);
  for (int index = 0; index < plan->given; ++index)
    if (plan->repeats[index].magnitude == 0) plan->repeats[index].magnitude = 1;
  return status;
}
const Mutant zero_repeat_is_one = {.settle = zero_to_one};

/* Copies one row even if only some repeats are 0, or the data is empty. */
static void copy_one_row(const Plan* plan, certile_tensor* out) {
  const uint64_t bits = (uint64_t)row_of(plan) * plan->call->data->element_bits;
  if (bits > 0) memmove(out->data, plan->call->data->data, (size_t)(bits + 7) / 8);
}

static int32_t run_partly_zero(Plan* plan, certile_tensor* out, int32_t status) {
  int zeros = 0;
  if (status != CERTILE_OK) return status;
  for (int axis = 0; axis < plan->rank; ++axis)
    zeros += plan->times[axis] == 0;
  if (zeros > 0 && zeros < plan->rank && plan->in_count > 0) copy_one_row(plan, out);
  return right_run(plan, out, status);
}
const Mutant some_zeros_not_seen = {.run = run_partly_zero};

static int32_t run_empty_data(Plan* plan, certile_tensor* out, int32_t status) {
  int has_zero = 0;
  if (status != CERTILE_OK) return status;
  for (int axis = 0; axis < plan->rank; ++axis)
    has_zero |= plan->times[axis] == 0;
  if (plan->in_count == 0 && !has_zero) copy_one_row(plan, out);
  return right_run(plan, out, status);
}
const Mutant empty_data_copied_first = {.run = run_empty_data};

static int32_t refuse_zero(Plan* plan) {
  const int32_t status = right_settle(plan);
  for (int index = 0; status == CERTILE_OK && index < plan->given; ++index)
    if (plan->repeats[index].magnitude == 0) return say(plan, CERTILE_REJECTED, "a repeat is zero");
  return status;
}
const Mutant zero_repeat_refused = {.settle = refuse_zero};

static int32_t refuse_empty(Plan* plan) {
  const int32_t status = right_settle(plan);
  for (int axis = 0; status == CERTILE_OK && axis < plan->call->data->rank; ++axis)
    if (plan->dims[axis] == 0) return say(plan, CERTILE_REJECTED, "the data is empty");
  return status;
}
const Mutant empty_data_refused = {.settle = refuse_empty};

static int32_t refuse_scalar(Plan* plan) {
  const int32_t status = right_settle(plan);
  return status == CERTILE_OK && plan->call->data->rank == 0 ? say(plan, CERTILE_REJECTED, "no axis")
                                                             : status;
}
const Mutant scalar_refused = {.settle = refuse_scalar};

static int32_t negatives_become(Plan* plan, uint64_t (*what)(uint64_t)) {
  for (int index = 0; index < plan->given; ++index)
    if (plan->repeats[index].negative)
      plan->repeats[index] = (Number){1, 0, what(plan->repeats[index].magnitude)};
  return CERTILE_OK;
}

static uint64_t nothing(uint64_t magnitude) {
  (void)magnitude;
  return 0;
}
static uint64_t a_single_one(uint64_t magnitude) {
  (void)magnitude;
  return 1;
}
static uint64_t itself(uint64_t magnitude) {
  return magnitude;
}

static int32_t negative_to_zero(Plan* plan) {
  return negatives_become(plan, nothing);
}
const Mutant negative_repeat_is_zero = {.settle = negative_to_zero};

static int32_t check_product(Plan* plan) {
  int negatives = 0;
  if (takes_negative(plan)) return right_settle(plan);
  for (int index = 0; index < plan->given; ++index)
    negatives += plan->repeats[index].negative;
  if (negatives % 2 != 0) return say(plan, CERTILE_REJECTED, "the product is negative");
  return negatives_become(plan, itself);
}
const Mutant two_negatives_pass = {.settle = check_product};

static int32_t refuse_negative(Plan* plan) {
  for (int index = 0; index < plan->given; ++index)
    if (plan->repeats[index].negative) return say(plan, CERTILE_REJECTED, "a repeat is negative");
  return CERTILE_OK;
}
const Mutant negative_repeat_refused = {.settle = refuse_negative};

static int32_t negative_to_one(Plan* plan) {
  return takes_negative(plan) ? negatives_become(plan, a_single_one) : right_settle(plan);
}
const Mutant negative_repeat_is_one = {.settle = negative_to_one};

static int32_t negative_to_positive(Plan* plan) {
  return takes_negative(plan) ? negatives_become(plan, itself) : right_settle(plan);
}
const Mutant sign_of_repeat_lost = {.settle = negative_to_positive};

/* Accepts a negative repeat of an axis that is empty already, like NumPy. */
static int32_t excuse_empty_axes(Plan* plan) {
  for (int index = 0; !takes_negative(plan) && index < plan->given; ++index)
    if (plan->repeats[index].negative && plan->dims[index] == 0) plan->repeats[index] = (Number){1, 0, 0};
  return right_settle(plan);
}
const Mutant negative_of_empty_axis_accepted = {.settle = excuse_empty_axes};

static int32_t all_zero(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_OK && is_empty(plan) && plan->in_count > 0)
    for (int axis = 0; axis < plan->rank; ++axis)
      plan->shape[axis] = 0;
  return status;
}
const Mutant zero_empties_every_axis = {.multiply = all_zero};

static int32_t unsupported_if_empty(Plan* plan) {
  const int32_t status = right_multiply(plan);
  return status == CERTILE_OK && is_empty(plan) ? say(plan, CERTILE_UNSUPPORTED, "empty output") : status;
}
const Mutant empty_output_unsupported = {.multiply = unsupported_if_empty};

static int32_t run_zero_as_one(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_OK && plan->count == 0 && plan->in_count > 0)
    memmove(out->data, plan->call->data->data, (size_t)plan->call->data->byte_size);
  return right_run(plan, out, status);
}
const Mutant run_does_not_know_zero = {.run = run_zero_as_one};

/* ---- too large ---- */

/* Wraps dimensions and counts at `bits` bits; refuses negative results. */
static int32_t wrap(Plan* plan, int bits) {
  const uint64_t mask = UINT64_MAX >> (64 - bits), sign = UINT64_C(1) << (bits - 1);
  plan->in_count = plan->count = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const uint64_t dimension = (uint64_t)plan->dims[axis];
    const uint64_t product = dimension * plan->repeats[axis].magnitude & mask;
    if ((product & sign) != 0) return say(plan, CERTILE_REJECTED, "a dimension is negative");
    plan->times[axis] = (int64_t)(plan->repeats[axis].magnitude & INT64_MAX);
    plan->shape[axis] = (int64_t)product;
    plan->in_count = (int64_t)((uint64_t)plan->in_count * dimension);
    plan->count = (int64_t)((uint64_t)plan->count * product);
  }
  return CERTILE_OK;
}

static int32_t wrap_at_32(Plan* plan) {
  return wrap(plan, 32);
}
const Mutant dimension_wraps_at_32_bits = {.multiply = wrap_at_32};

static int32_t wrap_at_64(Plan* plan) {
  return wrap(plan, 64);
}
const Mutant size_wraps_at_64_bits = {.multiply = wrap_at_64};

/* Checks each dimension, but not the number of elements. */
static int32_t count_unchecked(Plan* plan) {
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->dims[axis] > 0 && plan->repeats[axis].magnitude > (uint64_t)(INT64_MAX / plan->dims[axis]))
      return say(plan, CERTILE_REJECTED, "a dimension is too large");
  return wrap(plan, 64);
}
const Mutant count_not_checked = {.multiply = count_unchecked};

static int32_t count_in_32_bits(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_OK && plan->count > 0 && (uint32_t)plan->count == 0)
    for (int axis = 0; axis < plan->rank; ++axis)
      plan->shape[axis] = 0;
  return status;
}
const Mutant count_wraps_at_32_bits = {.multiply = count_in_32_bits};

/* Refuses a number of elements that does not fit in 32 bits. */
static int32_t most_elements(Plan* plan) {
  const int32_t status = right_multiply(plan);
  return status == CERTILE_OK && plan->count > INT32_MAX ? say(plan, CERTILE_REJECTED, "too large") : status;
}
const Mutant more_than_31_bits_refused = {.multiply = most_elements};

/* Counts the elements without checking for zeros. */
static int32_t zeros_do_not_count(Plan* plan) {
  const int32_t status = right_multiply(plan);
  int64_t count = 1;
  for (int axis = 0; status == CERTILE_OK && axis < plan->rank; ++axis) {
    if (plan->shape[axis] == 0) continue;
    if (count > INT64_MAX / plan->shape[axis]) return say(plan, CERTILE_REJECTED, "too many elements");
    count *= plan->shape[axis];
  }
  return status;
}
const Mutant overflow_beside_zero_refused = {.multiply = zeros_do_not_count};

static Number read_in_32_bits(const certile_tensor* operand, int64_t index) {
  Number number = right_read(operand, index);
  if (number.magnitude < UINT64_C(1) << 62) number.magnitude = (uint32_t)number.magnitude;
  return number;
}
const Mutant repeat_narrowed_to_32_bits = {.read = read_in_32_bits};

static int32_t few_only(Plan* plan) {
  const int32_t status = right_settle(plan);
  for (int index = 0; status == CERTILE_OK && index < plan->given; ++index)
    if (plan->repeats[index].magnitude > 64) return say(plan, CERTILE_UNSUPPORTED, "too many copies");
  return status;
}
const Mutant many_copies_unsupported = {.settle = few_only};

/* ---- the type of repeats ---- */

static Number read_unsigned(const certile_tensor* operand, int64_t index) {
  Number number = right_read(operand, index);
  if (number.negative && operand->element_bits <= 16)
    number = (Number){1, 0, (UINT64_C(1) << operand->element_bits) - number.magnitude};
  return number;
}
const Mutant narrow_repeats_read_unsigned = {.read = read_unsigned};

static Number read_signed(const certile_tensor* operand, int64_t index) {
  Number number = right_read(operand, index);
  const int is_narrow = operand->element_type == CERTILE_U8 || operand->element_type == CERTILE_U16;
  const uint64_t range = UINT64_C(1) << (operand->element_bits % 64);
  if (is_narrow && number.magnitude >= range / 2) number = (Number){1, 1, range - number.magnitude};
  return number;
}
const Mutant narrow_repeats_read_signed = {.read = read_signed};

/* Reads i32 as i64: two repeats at once, the last one past the end. */
static Number read_as_64_bits(const certile_tensor* operand, int64_t index) {
  certile_tensor wide = *operand;
  if (operand->element_type != CERTILE_I32) return right_read(operand, index);
  wide.element_type = CERTILE_I64;
  wide.element_bits = 64;
  return right_read(&wide, index);
}
const Mutant repeats_read_as_64_bits = {.read = read_as_64_bits};
