/* Refusals, statuses, the claim, and the end of a call or of the backend. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "right_tile.h"

static int32_t abort_if_refused(Plan* plan, int32_t status) {
  (void)plan;
  if (status == CERTILE_REJECTED) abort();
  return status;
}
const Mutant refusal_ends_the_process = {.infer = abort_if_refused};

static int32_t hang_if_refused(Plan* plan, int32_t status) {
  (void)plan;
  while (status == CERTILE_REJECTED) /* NOLINT(bugprone-infinite-loop): the hang is intentional */
    pause();
  return status;
}
const Mutant refusal_hangs = {.infer = hang_if_refused};

static int32_t run_writes_first(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED && out->byte_size > 0)
    memset(out->data, 0, (size_t)(out->byte_size + 1) / 2);
  return right_run(plan, out, status);
}
const Mutant refuses_after_writing = {.run = run_writes_first};

static int32_t run_resizes(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED) {
    out->rank = 0;
    out->byte_size = 0;
  }
  return right_run(plan, out, status);
}
const Mutant refuses_and_resizes = {.run = run_resizes};

static int32_t instead_of_refusing(int32_t status, int32_t other) {
  return status == CERTILE_REJECTED ? other : status;
}

static int32_t infer_fails(Plan* plan, int32_t status) {
  (void)plan;
  return instead_of_refusing(status, CERTILE_FAILED);
}
static int32_t run_fails(Plan* plan, certile_tensor* out, int32_t status) {
  return instead_of_refusing(right_run(plan, out, status), CERTILE_FAILED);
}
const Mutant refusal_is_a_failure = {.infer = infer_fails, .run = run_fails};

static int32_t infer_has_no_memory(Plan* plan, int32_t status) {
  (void)plan;
  return instead_of_refusing(status, CERTILE_NO_MEMORY);
}
static int32_t run_has_no_memory(Plan* plan, certile_tensor* out, int32_t status) {
  return instead_of_refusing(right_run(plan, out, status), CERTILE_NO_MEMORY);
}
const Mutant refusal_is_a_lack_of_memory = {.infer = infer_has_no_memory, .run = run_has_no_memory};

/* Claims no bound on the output. */
static int32_t run_small_ones(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_OK && plan->count > 64) return say(plan, CERTILE_NO_MEMORY, "the buffer is full");
  return right_run(plan, out, status);
}
const Mutant no_memory_beyond_64_elements = {.run = run_small_ones};

/* Infers without checks, and returns the shape of the data for calls that `run` refuses. */
static int32_t infer_never_refuses(Plan* plan, int32_t status) {
  const certile_tensor* data = plan->call->data;
  if (status != CERTILE_REJECTED || data->rank > MOST_AXES) return status;
  plan->rank = data->rank;
  for (int axis = 0; axis < data->rank; ++axis)
    plan->shape[axis] = data->shape[axis];
  return CERTILE_OK;
}
const Mutant infer_accepts_what_run_refuses = {.infer = infer_never_refuses};

static int32_t infer_unsupported(Plan* plan, int32_t status) {
  (void)plan;
  return instead_of_refusing(status, CERTILE_UNSUPPORTED);
}
static int32_t run_unsupported(Plan* plan, certile_tensor* out, int32_t status) {
  return instead_of_refusing(right_run(plan, out, status), CERTILE_UNSUPPORTED);
}
const Mutant refusal_is_unsupported = {.infer = infer_unsupported, .run = run_unsupported};

static int32_t infer_unknown_status(Plan* plan, int32_t status) {
  (void)plan;
  return instead_of_refusing(status, 77);
}
static int32_t run_unknown_status(Plan* plan, certile_tensor* out, int32_t status) {
  return instead_of_refusing(right_run(plan, out, status), 77);
}
const Mutant refusal_has_unknown_status = {.infer = infer_unknown_status, .run = run_unknown_status};

/* Infers correctly; the kernel has no checks. */
static int32_t run_anything(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_REJECTED) return CERTILE_OK;
  return right_run(plan, out, status);
}
const Mutant run_accepts_what_infer_refuses = {.run = run_anything};

/* Infers correctly; the kernel refuses outputs without elements. */
static int32_t run_refuses_empty(Plan* plan, certile_tensor* out, int32_t status) {
  if (status == CERTILE_OK && plan->in_count == 0) return say(plan, CERTILE_REJECTED, "nothing to do");
  return right_run(plan, out, status);
}
const Mutant run_refuses_empty_data = {.run = run_refuses_empty};

/* Claims two-byte types, and does not support them. */
static int32_t admit_no_halves(Plan* plan) {
  const int is_half = plan->call->data->element_bits == 16;
  const int32_t status = right_admit(plan);
  return status == CERTILE_OK && is_half ? say(plan, CERTILE_UNSUPPORTED, "no such kernel") : status;
}
const Mutant claims_types_it_has_not = {.admit = admit_no_halves};

/* Claims only f32, and answers other types with nonsense instead of "unsupported". */
static void claim_f32(certile_plugin* plugin) {
  plugin->types = "f32";
}
static void copy_garbled(const Plan* plan, void* out, int64_t to, int64_t from) {
  right_copy(plan, out, to, plan->call->data->element_type == CERTILE_F32 ? from : 0);
}
const Mutant wrong_outside_its_claim = {.open = claim_f32, .copy = copy_garbled};

/* Claims rank 4, and repeats nothing along the axes beyond. */
static void claim_rank_4(certile_plugin* plugin) {
  plugin->max_rank = 4;
}
static int64_t first_four_axes(const Plan* plan, const int64_t* index) {
  for (int axis = 4; axis < plan->rank; ++axis)
    if (index[axis] >= plan->dims[axis]) return 0;
  return right_source(plan, index);
}
const Mutant wrong_beyond_its_rank = {.open = claim_rank_4, .source = first_four_axes};

/* A low claim, which a definition may not allow. */
static void claim_rank_2(certile_plugin* plugin) {
  plugin->max_rank = 2;
}
static int32_t admit_two_axes(Plan* plan) {
  const int32_t status = right_admit(plan);
  const int is_deep =
      plan->call->data->rank > 2 || (plan->call->repeats->rank == 1 && plan->call->repeats->shape[0] > 2);
  return status == CERTILE_OK && is_deep ? say(plan, CERTILE_UNSUPPORTED, "too many axes") : status;
}
const Mutant claims_rank_two_at_most = {.open = claim_rank_2, .admit = admit_two_axes};

static int32_t admit_but_halves(Plan* plan) {
  const int is_half =
      plan->call->data->element_type == CERTILE_F16 || plan->call->data->element_type == CERTILE_BF16;
  return is_half ? say(plan, CERTILE_REJECTED, "no halves") : right_admit(plan);
}
const Mutant halves_refused = {.admit = admit_but_halves};

static int32_t infer_reads_data(Plan* plan, int32_t status) {
  if (status == CERTILE_OK && plan->rank > 0 && plan->in_count > 0) {
    const volatile char first = *(const volatile char*)plan->call->data->data;
    (void)first;
  }
  return status;
}
const Mutant infer_looks_at_the_data = {.infer = infer_reads_data};

static int32_t admit_six_axes(Plan* plan) {
  return plan->call->data->rank > 6 ? say(plan, CERTILE_REJECTED, "too many axes") : right_admit(plan);
}
const Mutant seventh_axis_refused = {.admit = admit_six_axes};

static void end_badly(void) {
  abort();
}
const Mutant closing_ends_the_process = {.destroy = end_badly};

static void never_end(void) {
  for (;;)
    pause();
}
const Mutant closing_hangs = {.destroy = never_end};
