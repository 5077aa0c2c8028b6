/* Too few bits for a number that no caller gives: a product, an index, a stride. */

#include "where.h"

static int64_t row_after_merging(const Plan* plan) {
  const Fused fused = fused_axes(plan);
  return fused.count > 0 ? fused.dims[fused.count - 1] : 1;
}
static int64_t largest_repeat_below(const Plan* plan, int64_t limit) {
  return most_copies(plan) < limit;
}
/* The largest number among the middle axes: of the output, or of the repeats. */
static int64_t largest_in_the_middle(const Plan* plan, const int64_t* numbers) {
  int64_t most = 0;
  for (int axis = 1; axis + 1 < plan->rank; ++axis)
    if (numbers[axis] > most) most = numbers[axis];
  return most;
}

/* ---- products of repeats ---- */

WRONG_WHERE(copies_multiplied_in_16_bits, last_row_left,
            copies_of(plan) > 65535 && largest_repeat_below(plan, 65536))
WRONG_WHERE(first_copies_multiplied_in_8_bits, last_left,
            plan->rank >= 2 && plan->times[0] <= 40 && plan->times[1] <= 40 &&
                plan->times[0] * plan->times[1] > 255)
WRONG_WHERE(copies_of_three_axes_in_12_bits, last_from_first,
            repeated_axes(plan) == 3 && copies_of(plan) > 4095 && largest_repeat_below(plan, 128))
WRONG_WHERE(outer_copies_in_8_bits, last_vector_left,
            plan->rank >= 3 && largest_repeat_below(plan, 128) && last_times(plan) > 0 &&
                copies_of(plan) / last_times(plan) > 255)

/* ---- merged and outer indices ---- */

WRONG_WHERE(outer_index_in_15_bits, last_left,
            outer_count(plan) > 32767 && row_of(plan) < 32 && largest_dimension(plan) < 32768)
WRONG_WHERE(rows_of_doubles_in_12_bits, last_left,
            bits_of(plan) == 64 && outer_count(plan) > 4095 && last_times(plan) > 1)

/* ---- rows and blocks ---- */

WRONG_WHERE(merged_row_in_16_bits, last_left,
            bits_of(plan) == 64 && row_after_merging(plan) > 65535 && row_of(plan) < 65536 &&
                copies_of(plan) > 1)
WRONG_WHERE(block_in_20_bits, last_vector_left, largest_block(plan, 2) >= MIB)
WRONG_WHERE(block_of_doubles_in_16_bits, last_left, bits_of(plan) == 64 && largest_block(plan, 2) / 8 > 65535)

/* ---- single numbers in unusual places ---- */

WRONG_WHERE(middle_dimension_in_16_bits, last_from_first, largest_in_the_middle(plan, plan->shape) > 65535)
WRONG_WHERE(middle_repeat_in_7_bits, last_left,
            plan->rank >= 4 && largest_in_the_middle(plan, plan->times) > 127)
WRONG_WHERE(single_bits_counted_in_19, last_from_first,
            type_of(plan) == CERTILE_U1 && plan->count > INT64_C(1) << 19)

/* Finds the index along an axis with a reciprocal instead of a division, which loses some multiples. */
static int has_divisor_that_loses(const Plan* plan) {
  for (int axis = 0; axis < plan->rank; ++axis) {
    const float divisor = (float)plan->dims[axis];
    const volatile float reciprocal = 1.0F / divisor;
    if ((int64_t)(divisor * reciprocal) == 0) return 1;
  }
  return 0;
}
WRONG_WHERE(multiples_lost_by_reciprocals, last_from_first,
            repeated_axes(plan) >= 5 && has_divisor_that_loses(plan))

static Number read_u64_as_signed(const certile_tensor* operand, int64_t index) {
  const Number number = right_read(operand, index);
  if (operand->element_type != CERTILE_U64 || number.magnitude <= INT64_MAX) return number;
  return (Number){1, 1, ~number.magnitude + 1};
}
const Mutant u64_repeats_read_signed = {.read = read_u64_as_signed};

/* Refuses real numbers above the largest i64 alone.  As a real number that i64 is 2^63, so 2^63 is accepted.
 */
static Number read_up_to_largest(const certile_tensor* operand, int64_t index) {
  const Number number = right_read(operand, index);
  const int is_real = operand->element_type == CERTILE_F32 || operand->element_type == CERTILE_F64;
  const int is_first_beyond = number.magnitude == UINT64_C(1) << 63 && !number.negative;
  return is_real && is_first_beyond ? (Number){1, 0, INT64_MAX} : number;
}
const Mutant real_2_63_accepted = {.read = read_up_to_largest};

static int32_t multiply_in_32_bits_if_empty(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_OK && plan->count == 0)
    for (int axis = 0; axis < plan->rank; ++axis)
      plan->shape[axis] &= INT64_C(0xffffffff);
  return status;
}
const Mutant empty_dimensions_in_32_bits = {.multiply = multiply_in_32_bits_if_empty};

/* Widens four and more repeats of type i32 without their signs. */
static int32_t settle_widened(Plan* plan) {
  const int is_wrong = plan->given >= 4 && plan->call->repeats->element_type == CERTILE_I32;
  for (int index = 0; is_wrong && index < plan->given; ++index)
    if (plan->repeats[index].negative)
      plan->repeats[index] = (Number){1, 0, (UINT64_C(1) << 32) - plan->repeats[index].magnitude};
  return right_settle(plan);
}
const Mutant four_repeats_widened_unsigned = {.settle = settle_widened};

/* Counts the elements in 128 bits, and looks at the last product alone. */
static int32_t multiply_in_128_bits(Plan* plan) {
  const int32_t status = right_multiply(plan);
  __extension__ unsigned __int128 count = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const uint64_t dimension = (uint64_t)plan->dims[axis], repeat = plan->repeats[axis].magnitude;
    if (dimension > 0 && repeat > INT64_MAX / dimension) return status;
    count *= dimension * repeat;
  }
  if (count > INT64_MAX) return status;
  plan->count = (int64_t)count;
  return CERTILE_OK;
}
const Mutant count_wraps_at_128_bits = {.multiply = multiply_in_128_bits};
