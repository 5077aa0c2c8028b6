/* The places of elements: index arithmetic, row lengths, counts, fast paths. */
#include <string.h>

#include "right_tile.h"

/* Returns the data's index if some axes have each element next to its own copies. */
static int64_t interleave(const Plan* plan, const int64_t* index, int first, int last) {
  int64_t from = 0;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const int beside = axis >= first && axis < last;
    const int64_t at = beside ? index[axis] / plan->times[axis] : index[axis] % plan->dims[axis];
    from = from * plan->dims[axis] + at;
  }
  return from;
}

static int64_t interleave_all(const Plan* plan, const int64_t* index) {
  return interleave(plan, index, 0, plan->rank);
}
const Mutant every_axis_interleaved = {.source = interleave_all};

static int64_t interleave_outer(const Plan* plan, const int64_t* index) {
  return interleave(plan, index, 0, plan->rank - 1);
}
const Mutant outer_axes_interleaved = {.source = interleave_outer};

static int64_t interleave_middle(const Plan* plan, const int64_t* index) {
  return plan->rank < 3 ? right_source(plan, index) : interleave(plan, index, 1, plan->rank - 1);
}
const Mutant middle_axes_interleaved = {.source = interleave_middle};

static int64_t interleave_high_rank(const Plan* plan, const int64_t* index) {
  return plan->rank < 5 ? right_source(plan, index) : interleave(plan, index, 0, 1);
}
const Mutant first_of_five_axes_interleaved = {.source = interleave_high_rank};

static int64_t interleave_very_high_rank(const Plan* plan, const int64_t* index) {
  return plan->rank <= 8 ? right_source(plan, index) : interleave(plan, index, 0, plan->rank);
}
const Mutant ninth_axis_interleaved = {.source = interleave_very_high_rank};

static int64_t interleave_seventeen(const Plan* plan, const int64_t* index) {
  return plan->rank <= 16 ? right_source(plan, index) : interleave(plan, index, 0, plan->rank);
}
const Mutant seventeenth_axis_interleaved = {.source = interleave_seventeen};

static int64_t interleave_three(const Plan* plan, const int64_t* index) {
  return repeated_axes(plan) < 3 ? right_source(plan, index) : interleave(plan, index, 0, plan->rank - 1);
}
const Mutant three_repeats_interleaved = {.source = interleave_three};

/* Walks both buffers with the first axis innermost. */
static int64_t column_major(const Plan* plan, const int64_t* index) {
  int64_t position = position_of(plan, index), from = 0, stride = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    from += position % plan->shape[axis] % plan->dims[axis] * stride;
    position /= plan->shape[axis];
    stride *= plan->dims[axis];
  }
  return from;
}
const Mutant walked_column_major = {.source = column_major};

/* Treats the last two axes as one, even if the inner one is repeated. */
static int64_t merged(const Plan* plan, const int64_t* index) {
  const int last = plan->rank - 1;
  int64_t whole[MOST_AXES];
  if (last < 1 || plan->times[last] == 1) return right_source(plan, index);
  memcpy(whole, index, (size_t)plan->rank * sizeof *index);
  const int64_t inner = index[last - 1] * plan->shape[last] + index[last];
  const int64_t within = inner % (plan->dims[last - 1] * plan->dims[last]);
  whole[last - 1] = within / plan->dims[last];
  whole[last] = within % plan->dims[last];
  return right_source(plan, whole);
}
const Mutant repeated_axes_merged = {.source = merged};

/* Uses modulo the repeat instead of modulo the dimension. */
static int64_t modulo_repeat(const Plan* plan, const int64_t* index) {
  int64_t from = 0;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const int64_t at = plan->times[axis] > 1 ? index[axis] % plan->times[axis] : index[axis];
    from = from * plan->dims[axis] + (at < plan->dims[axis] ? at : plan->dims[axis] - 1);
  }
  return from;
}
const Mutant modulo_the_repeat = {.source = modulo_repeat};

/* Writes each copy of a row backwards. */
static int64_t copies_mirrored(const Plan* plan, const int64_t* index) {
  const int last = plan->rank - 1;
  int64_t mirrored[MOST_AXES];
  if (last < 0 || index[last] < plan->dims[last]) return right_source(plan, index);
  memcpy(mirrored, index, (size_t)plan->rank * sizeof *index);
  mirrored[last] = plan->dims[last] - 1 - index[last] % plan->dims[last];
  return right_source(plan, mirrored);
}
const Mutant copies_written_backwards = {.source = copies_mirrored};

/* ---- vectors and their tails ---- */

/* The elements of a row past the last whole vector: omitted, or taken from one vector before. */
static int is_tail(const Plan* plan, const int64_t* index, int64_t vector) {
  const int last = plan->rank - 1;
  const int64_t row = row_of(plan);
  return last >= 0 && index[last] % row >= row - row % vector;
}

static int64_t without_tail(const Plan* plan, const int64_t* index) {
  const int is_left_out = plan->call->data->element_bits == 32 && is_tail(plan, index, 8);
  return is_left_out ? -1 : right_source(plan, index);
}
const Mutant tail_of_row_dropped = {.source = without_tail};

static int64_t tail_from_before(const Plan* plan, const int64_t* index, int64_t vector) {
  const int64_t from = right_source(plan, index);
  if (row_of(plan) <= vector || !is_tail(plan, index, vector)) return from;
  return from - 1;
}

static int64_t byte_tail(const Plan* plan, const int64_t* index) {
  const int is_byte = plan->call->data->element_bits == 8;
  return is_byte ? tail_from_before(plan, index, 64) : right_source(plan, index);
}
const Mutant tail_of_bytes_misplaced = {.source = byte_tail};

static int64_t wide_tail(const Plan* plan, const int64_t* index) {
  const int is_wide = plan->call->data->element_bits == 64;
  return is_wide ? tail_from_before(plan, index, 2) : right_source(plan, index);
}
const Mutant tail_of_doubles_misplaced = {.source = wide_tail};

static int64_t half_tail(const Plan* plan, const int64_t* index) {
  const int is_half = plan->call->data->element_bits == 16;
  return is_half ? tail_from_before(plan, index, 16) : right_source(plan, index);
}
const Mutant tail_of_halves_misplaced = {.source = half_tail};

static int64_t nibble_tail(const Plan* plan, const int64_t* index) {
  const int is_nibble = plan->call->data->element_bits == 4;
  return is_nibble ? tail_from_before(plan, index, 32) : right_source(plan, index);
}
const Mutant tail_of_nibbles_misplaced = {.source = nibble_tail};

static int64_t long_row(const Plan* plan, const int64_t* index) {
  const int is_long = (uint64_t)row_of(plan) * plan->call->data->element_bits > UINT64_C(8) * 2048;
  return is_long ? tail_from_before(plan, index, 64) : right_source(plan, index);
}
const Mutant tail_of_long_row_misplaced = {.source = long_row};

/* A length for which a kernel has hand-written code. */
static int64_t unrolled(const Plan* plan, const int64_t* index) {
  const int is_unrolled = row_of(plan) == 24;
  return is_unrolled ? tail_from_before(plan, index, 16) : right_source(plan, index);
}
const Mutant row_of_24_wrong = {.source = unrolled};

/* ---- copies ---- */

static int64_t up_to_power_of_two(const Plan* plan, const int64_t* index) {
  const int last = plan->rank - 1;
  int64_t power = 1;
  if (last < 0) return right_source(plan, index);
  while (power * 2 <= plan->times[last])
    power *= 2;
  return index[last] / plan->dims[last] < power ? right_source(plan, index) : -1;
}
const Mutant doubled_and_left_at_that = {.source = up_to_power_of_two};

static int64_t batch_forgotten(const Plan* plan, const int64_t* index) {
  const int is_batched = plan->rank >= 2 && plan->times[1] > 1;
  return is_batched && index[0] >= plan->dims[0] ? -1 : right_source(plan, index);
}
const Mutant repeat_of_batch_forgotten = {.source = batch_forgotten};

static int64_t nothing_if_ones(const Plan* plan, const int64_t* index) {
  return is_all_ones(plan) ? -1 : right_source(plan, index);
}
const Mutant nothing_written_for_ones = {.source = nothing_if_ones};

static int64_t whole_shares(const Plan* plan, const int64_t* index) {
  const int64_t row = plan->rank > 0 ? plan->shape[plan->rank - 1] : 1;
  const int64_t rows = plan->count / row;
  const int is_rest = rows >= 4 && position_of(plan, index) / row >= rows - rows % 4;
  return is_rest ? -1 : right_source(plan, index);
}
const Mutant rest_of_shares_not_done = {.source = whole_shares};

static int64_t counted_to(const Plan* plan, const int64_t* index, int64_t range) {
  const int last = plan->rank - 1;
  if (last < 0 || plan->times[last] < range) return right_source(plan, index);
  return index[last] / plan->dims[last] < plan->times[last] % range ? right_source(plan, index) : -1;
}

static int64_t copies_in_8_bits(const Plan* plan, const int64_t* index) {
  return counted_to(plan, index, 256);
}
const Mutant copies_counted_in_8_bits = {.source = copies_in_8_bits};

static int64_t copies_in_16_bits(const Plan* plan, const int64_t* index) {
  return counted_to(plan, index, 65536);
}
const Mutant copies_counted_in_16_bits = {.source = copies_in_16_bits};

static int64_t rows_in_8_bits(const Plan* plan, const int64_t* index) {
  const int64_t row = plan->rank > 0 ? plan->shape[plan->rank - 1] : 1;
  const int64_t rows = plan->count / row;
  return rows > 255 && position_of(plan, index) / row >= rows % 256 ? -1 : right_source(plan, index);
}
const Mutant rows_counted_in_8_bits = {.source = rows_in_8_bits};

static int64_t row_in_16_bits(const Plan* plan, const int64_t* index) {
  const int last = plan->rank - 1;
  const int is_cut = last >= 0 && row_of(plan) > 65535 && index[last] % row_of(plan) >= row_of(plan) % 65536;
  return is_cut ? -1 : right_source(plan, index);
}
const Mutant row_counted_in_16_bits = {.source = row_in_16_bits};

/* Keeps strides of the data in 8 bits. */
static int64_t short_strides(const Plan* plan, const int64_t* index) {
  int64_t from = 0, stride = 1;
  for (int axis = plan->rank - 1; axis >= 0; --axis) {
    from += index[axis] % plan->dims[axis] * (axis == plan->rank - 1 ? 1 : stride % 256);
    stride *= plan->dims[axis];
  }
  return from;
}
const Mutant strides_kept_in_8_bits = {.source = short_strides};

static int64_t last_of_large(const Plan* plan, const int64_t* index) {
  const int64_t from = right_source(plan, index);
  const int is_large = (uint64_t)plan->count * plan->call->data->element_bits > UINT64_C(8) << 18;
  return is_large && position_of(plan, index) == plan->count - 1 && from > 0 ? from - 1 : from;
}
const Mutant last_of_large_output_wrong = {.source = last_of_large};

static int64_t last_element_skipped(const Plan* plan, const int64_t* index) {
  const int is_last = plan->count > 1 && position_of(plan, index) == plan->count - 1;
  return is_last ? -1 : right_source(plan, index);
}
const Mutant last_element_not_written = {.source = last_element_skipped};

/* Keeps offsets of the output in a signed 32-bit number of bytes. */
static int64_t offset_in_31_bits(const Plan* plan, const int64_t* index) {
  const uint64_t bits = (uint64_t)position_of(plan, index) * plan->call->data->element_bits;
  return bits / 8 > INT32_MAX ? -1 : right_source(plan, index);
}
const Mutant offsets_kept_in_31_bits = {.source = offset_in_31_bits};

/* ---- places that are wrong everywhere ---- */

static int64_t from_the_end(const Plan* plan, const int64_t* index) {
  return plan->in_count - 1 - right_source(plan, index);
}
const Mutant elements_reversed = {.source = from_the_end};

static int64_t the_first(const Plan* plan, const int64_t* index) {
  (void)plan, (void)index;
  return 0;
}
const Mutant first_element_everywhere = {.source = the_first};

static int32_t run_zeros(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 0) memset(out->data, 0, (size_t)out->byte_size);
  return status;
}
const Mutant zeros_everywhere = {.run = run_zeros};
