/* Ranks: ones on the wrong side, lost axes, repeats for the wrong axes. */
#include <string.h>

#include "right_tile.h"

static int rank_of(const Plan* plan) {
  return plan->call->data->rank;
}

static int promotes(const Plan* plan) {
  return reading_of(plan->call)->form == PROMOTED;
}

static const Number one = {1, 0, 1};

static void pad_repeats_behind(Plan* plan) {
  while (plan->given < rank_of(plan))
    plan->repeats[plan->given++] = one;
  right_promote(plan);
}
const Mutant repeats_padded_behind = {.promote = pad_repeats_behind};

static void pad_data_behind(Plan* plan) {
  const int rank = rank_of(plan);
  if (plan->given <= rank) {
    right_promote(plan);
    return;
  }
  for (int axis = rank; axis < plan->given; ++axis)
    plan->dims[axis] = 1;
  plan->rank = plan->given;
}
const Mutant data_padded_behind = {.promote = pad_data_behind};

static void drop_leading(Plan* plan) {
  const int surplus = plan->given - rank_of(plan);
  if (surplus > 0) {
    memmove(plan->repeats, plan->repeats + surplus, (size_t)rank_of(plan) * sizeof *plan->repeats);
    plan->given -= surplus;
  }
  right_promote(plan);
}
const Mutant leading_repeats_dropped = {.promote = drop_leading};

static void drop_trailing(Plan* plan) {
  if (plan->given > rank_of(plan)) plan->given = rank_of(plan);
  right_promote(plan);
}
const Mutant trailing_repeats_dropped = {.promote = drop_trailing};

static int64_t only_last_four(const Plan* plan, const int64_t* index) {
  for (int axis = 0; axis < plan->rank - 4; ++axis)
    if (index[axis] >= plan->dims[axis]) return -1;
  return right_source(plan, index);
}
const Mutant fifth_axis_not_repeated = {.source = only_last_four};

static void scalar_to_vector(Plan* plan) {
  right_promote(plan);
  if (plan->rank > 0) return;
  plan->rank = 1;
  plan->dims[0] = 1;
  plan->repeats[0] = one;
}
const Mutant scalar_comes_back_as_vector = {.promote = scalar_to_vector};

static void scalar_stays(Plan* plan) {
  if (rank_of(plan) == 0) plan->given = 0;
  right_promote(plan);
}
const Mutant scalar_stays_scalar = {.promote = scalar_stays};

/* Accepts any length, promoted as NumPy does. */
static int32_t admit_any_length(Plan* plan) {
  const certile_tensor* repeats = plan->call->repeats;
  if (reading_of(plan->call)->form == ALIGNED && repeats->rank == 1 && repeats->element_type == CERTILE_I64 &&
      is_listed(plan->call, plan->call->data->element_type) && repeats->shape[0] <= MOST_AXES)
    return CERTILE_OK;
  return right_admit(plan);
}
const Mutant length_of_repeats_not_checked = {.admit = admit_any_length};

/* Uses the first ones. */
static int32_t admit_surplus(Plan* plan) {
  const certile_tensor* repeats = plan->call->repeats;
  const int is_surplus = repeats->rank == 1 && repeats->shape[0] > rank_of(plan);
  return is_surplus ? admit_any_length(plan) : right_admit(plan);
}
static void ignore_surplus(Plan* plan) {
  if (!promotes(plan) && plan->given > rank_of(plan)) plan->given = rank_of(plan);
  right_promote(plan);
}
const Mutant surplus_repeats_ignored = {.admit = admit_surplus, .promote = ignore_surplus};

static int32_t refuse_far_apart(Plan* plan) {
  const int32_t status = right_admit(plan);
  if (status != CERTILE_OK || !promotes(plan) || plan->call->repeats->shape[0] < rank_of(plan) + 2)
    return status;
  return say(plan, CERTILE_REJECTED, "too many repeats");
}
const Mutant promotes_by_one_only = {.admit = refuse_far_apart};

static int32_t refuse_no_repeats(Plan* plan) {
  const int32_t status = right_admit(plan);
  const int none = promotes(plan) && rank_of(plan) > 0 && plan->call->repeats->rank == 1 &&
                   plan->call->repeats->shape[0] == 0;
  return status == CERTILE_OK && none ? say(plan, CERTILE_REJECTED, "no repeats") : status;
}
const Mutant empty_repeats_refused = {.admit = refuse_no_repeats};

static void no_repeats_are_zero(Plan* plan) {
  const int none = plan->given == 0 && rank_of(plan) > 0;
  right_promote(plan);
  for (int axis = 0; none && axis < plan->rank; ++axis)
    plan->repeats[axis].magnitude = 0;
}
const Mutant empty_repeats_count_as_zero = {.promote = no_repeats_are_zero};

/* Drops an axis of size 1 in front if nothing was promoted. */
static int32_t squeeze(Plan* plan, int32_t status) {
  if (status != CERTILE_OK || plan->rank < 2 || plan->shape[0] != 1 || plan->given != rank_of(plan))
    return status;
  --plan->rank;
  memmove(plan->shape, plan->shape + 1, (size_t)plan->rank * sizeof *plan->shape);
  return status;
}
const Mutant leading_one_squeezed = {.infer = squeeze};

static void reverse(Plan* plan) {
  right_promote(plan);
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->dims[axis] == 0) return;
  for (int axis = 0; axis < plan->rank / 2; ++axis) {
    const Number kept = plan->repeats[axis];
    plan->repeats[axis] = plan->repeats[plan->rank - 1 - axis];
    plan->repeats[plan->rank - 1 - axis] = kept;
  }
}
const Mutant repeats_reversed = {.promote = reverse};

static int32_t data_shape(Plan* plan, int32_t status) {
  if (status != CERTILE_OK) return status;
  plan->rank = rank_of(plan);
  if (plan->rank > 0) memcpy(plan->shape, plan->call->data->shape, (size_t)plan->rank * sizeof *plan->shape);
  return status;
}
const Mutant infers_shape_of_data = {.infer = data_shape};

/* Writes the output's dimensions last axis first. */
static int32_t dims_reversed(Plan* plan, int32_t status) {
  for (int axis = 0; status == CERTILE_OK && axis < plan->rank / 2; ++axis) {
    const int64_t kept = plan->shape[axis];
    plan->shape[axis] = plan->shape[plan->rank - 1 - axis];
    plan->shape[plan->rank - 1 - axis] = kept;
  }
  return status;
}
const Mutant infers_shape_reversed = {.infer = dims_reversed};

/* Promotes on the other side in `run`. */
static void promote_otherwise(Plan* plan) {
  if (plan->inferring)
    right_promote(plan);
  else
    pad_data_behind(plan);
}
const Mutant run_promotes_otherwise = {.promote = promote_otherwise};
