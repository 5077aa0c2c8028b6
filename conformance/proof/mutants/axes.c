/* Wrong for many axes, or for an unusual order of repeated ones. */

#include "where.h"

WRONG_WHERE(first_of_20_axes_left, last_left, plan->rank >= 20 && plan->times[0] > 1)
WRONG_WHERE(mask_of_axes_in_32_bits, last_from_first, plan->rank > 32 && repeated_axes(plan) > 0)
WRONG_WHERE(axes_64_wrong, last_from_first, plan->rank == 64)

static int32_t multiply_sixteen(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_OK && plan->count == 0)
    for (int axis = 16; axis < plan->rank; ++axis)
      plan->shape[axis] = 0;
  return status;
}
const Mutant empty_dimensions_behind_16_lost = {.multiply = multiply_sixteen};
WRONG_WHERE(first_and_last_repeated_wrong, last_from_first,
            plan->rank >= 5 && repeated_axes(plan) == 2 && plan->times[0] > 1 && last_times(plan) > 1)

static int all_twice(const Plan* plan) {
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->times[axis] != 2) return 0;
  return 1;
}
WRONG_WHERE(seven_axes_twice_wrong, last_left, plan->rank >= 7 && all_twice(plan))

static int64_t source_merging_unit(const Plan* plan, const int64_t* index) {
  int64_t from = 0;
  for (int axis = 0; axis < plan->rank; ++axis) {
    int64_t at = index[axis];
    if (plan->rank >= 5 && axis + 1 < plan->rank && plan->dims[axis + 1] == 1 && plan->times[axis] > 1)
      at = at * plan->times[axis + 1] + index[axis + 1];
    from = from * plan->dims[axis] + at % plan->dims[axis];
  }
  return from;
}
const Mutant unit_axis_merged_from_five_on = {.source = source_merging_unit};
WRONG_WHERE(scalar_with_nine_repeats_wrong, last_left, plan->call->data->rank == 0 && plan->given >= 9)

static int32_t multiply_short_if_empty(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_OK && plan->count == 0 && plan->call->data->rank + 4 <= plan->given)
    plan->shape[0] = 1;
  return status;
}
const Mutant empty_data_with_four_new_axes_wrong = {.multiply = multiply_short_if_empty};
