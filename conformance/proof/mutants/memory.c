/* Buffers: beyond their ends, in the wrong place, and written where that is forbidden. */
#include <string.h>

#include "right_tile.h"

/* A target of reads that no optimiser removes. */
static volatile unsigned char sink;

static void read_byte(const void* at, int64_t offset) {
  sink = *((const volatile unsigned char*)at + offset);
}
static void write_byte(void* at, int64_t offset, unsigned char value) {
  *((volatile unsigned char*)at + offset) = value;
}

static int64_t missing_in_vector(const Plan* plan) {
  const int64_t row = row_of(plan);
  return plan->call->data->element_bits == 32 && row > 8 && row % 8 != 0 ? (8 - row % 8) * 4 : 0;
}

static int32_t run_past_output(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 0)
    for (int64_t byte = 0; byte < missing_in_vector(plan); ++byte)
      write_byte(out->data, (int64_t)out->byte_size + byte, 0);
  return status;
}
const Mutant last_vector_runs_past_output = {.run = run_past_output};

static int32_t run_past_input(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  for (int64_t byte = 0; status == CERTILE_OK && data->byte_size > 0 && byte < missing_in_vector(plan);
       ++byte)
    read_byte(data->data, (int64_t)data->byte_size + byte);
  return right_run(plan, out, status);
}
const Mutant last_vector_runs_past_input = {.run = run_past_input};

static int32_t run_one_byte_past(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 0) write_byte(out->data, (int64_t)out->byte_size, 0);
  return status;
}
const Mutant byte_past_output_written = {.run = run_one_byte_past};

static int32_t run_one_byte_before(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 0) write_byte(out->data, -1, 0);
  return status;
}
const Mutant byte_before_output_written = {.run = run_one_byte_before};

static int32_t run_reads_before(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_OK && plan->call->data->byte_size > 0) read_byte(plan->call->data->data, -1);
  return right_run(plan, out, status);
}
const Mutant byte_before_data_read = {.run = run_reads_before};

static int32_t run_reads_past_repeats(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* repeats = plan->call->repeats;
  if (status == CERTILE_OK && repeats->byte_size > 0) read_byte(repeats->data, (int64_t)repeats->byte_size);
  return right_run(plan, out, status);
}
const Mutant repeats_read_past_their_end = {.run = run_reads_past_repeats};

static int32_t run_reads_past_axis(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* axis = plan->call->axis;
  if (status == CERTILE_OK && axis != 0) read_byte(axis->data, (int64_t)axis->byte_size);
  return right_run(plan, out, status);
}
const Mutant axis_read_past_its_end = {.run = run_reads_past_axis};

/* Rounds up only rows of many bytes, to a multiple of 16. */
static int32_t run_rounds_up(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->byte_size > 64)
    for (uint64_t byte = out->byte_size; byte % 16 != 0; ++byte)
      write_byte(out->data, (int64_t)byte, 0);
  return status;
}
const Mutant output_rounded_up_to_16_bytes = {.run = run_rounds_up};

static int32_t run_aliases(Plan* plan, certile_tensor* out, int32_t status) {
  if (status != CERTILE_OK || !is_all_ones(plan) || out->byte_size == 0) return right_run(plan, out, status);
  out->data = plan->call->data->data;
  return status;
}
const Mutant output_is_the_input_for_ones = {.run = run_aliases};

/* Points the descriptor at another buffer. */
static int32_t run_elsewhere(Plan* plan, certile_tensor* out, int32_t status) {
  static unsigned char own[1 << 16];
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || out->byte_size == 0 || out->byte_size > sizeof own) return status;
  memcpy(own, out->data, (size_t)out->byte_size);
  out->data = own;
  return status;
}
const Mutant output_lies_in_own_buffer = {.run = run_elsewhere};

static int32_t run_counts_bytes(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK) out->byte_size += 64 - out->byte_size % 64;
  return status;
}
const Mutant byte_size_rounded_up = {.run = run_counts_bytes};

static int32_t run_counts_axes(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK) ++out->rank;
  return status;
}
const Mutant rank_of_output_changed = {.run = run_counts_axes};

static int32_t run_changes_type(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && out->element_type != CERTILE_F32) out->element_type = CERTILE_F32;
  return status;
}
const Mutant type_of_output_changed = {.run = run_changes_type};

static int32_t run_uses_input(Plan* plan, certile_tensor* out, int32_t status) {
  unsigned char* data = plan->call->data->data;
  if (status == CERTILE_OK && plan->call->data->byte_size > 0) write_byte(data, 0, data[0]);
  return right_run(plan, out, status);
}
const Mutant input_used_as_scratch = {.run = run_uses_input};

/* Inserts ones in front of the repeats, in their own memory. */
static int32_t run_changes_repeats(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* repeats = plan->call->repeats;
  const int is_short = reading_of(plan->call)->form == PROMOTED && plan->given < plan->call->data->rank;
  if (status == CERTILE_OK && is_short && repeats->byte_size > 0) write_byte(repeats->data, 0, 1);
  return right_run(plan, out, status);
}
const Mutant repeats_promoted_in_place = {.run = run_changes_repeats};

/* ---- addresses ---- */

/* Returns another element instead of the last one. */
static int64_t last_if(const Plan* plan, const int64_t* index, int is_wrong) {
  const int64_t from = right_source(plan, index);
  const int is_last = position_of(plan, index) == plan->count - 1;
  return is_wrong && is_last ? (from + 1) % plan->in_count : from;
}

static int64_t vectors_need_16(const Plan* plan, const int64_t* index) {
  const certile_tensor* data = plan->call->data;
  return last_if(plan, index, data->byte_size >= 16 && (uintptr_t)data->data % 16 != 0);
}
const Mutant wrong_unless_aligned_to_16 = {.source = vectors_need_16};

static int64_t aligned_fast_path(const Plan* plan, const int64_t* index) {
  const certile_tensor* data = plan->call->data;
  return last_if(plan, index, data->byte_size >= 32 && (uintptr_t)data->data % 64 == 0);
}
const Mutant wrong_where_aligned_to_64 = {.source = aligned_fast_path};

static int64_t odd_bytes(const Plan* plan, const int64_t* index) {
  const certile_tensor* data = plan->call->data;
  return last_if(plan, index, data->element_bits == 8 && (uintptr_t)data->data % 4 == 1);
}
const Mutant wrong_one_byte_past_a_word = {.source = odd_bytes};

/* ---- what was there before ---- */

static int is_all(const Plan* plan, int64_t from, unsigned char value) {
  const unsigned char* data = plan->call->data->data;
  const uint64_t bytes = element_bytes(plan);
  if (is_packed(plan->call->data->element_type)) return 0;
  for (uint64_t byte = 0; byte < bytes; ++byte)
    if (data[(uint64_t)from * bytes + byte] != value) return 0;
  return 1;
}

static int64_t zeros_left_out(const Plan* plan, const int64_t* index) {
  const int64_t from = right_source(plan, index);
  return is_all(plan, from, 0) ? -1 : from;
}
const Mutant zeros_not_written = {.source = zeros_left_out};

static int64_t all_ones_left_out(const Plan* plan, const int64_t* index) {
  const int64_t from = right_source(plan, index);
  return element_bytes(plan) >= 2 && is_all(plan, from, 0xff) ? -1 : from;
}
const Mutant all_ones_not_written = {.source = all_ones_left_out};

static int32_t run_reads_past_shape(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  if (status == CERTILE_OK && data->rank > 0) read_byte(data->shape + data->rank, 0);
  return right_run(plan, out, status);
}
const Mutant dimension_behind_the_last_read = {.run = run_reads_past_shape};

static int32_t run_overwriting_shape(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* data = plan->call->data;
  if (status == CERTILE_OK && data->rank > 0) write_byte((void*)(uintptr_t)data->shape, 0, 1);
  return right_run(plan, out, status);
}
const Mutant shape_of_data_overwritten = {.run = run_overwriting_shape};
