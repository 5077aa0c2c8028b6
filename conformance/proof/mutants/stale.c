/* What was prepared for one call and is taken for another: data, plans, programs. */
#include <stdlib.h>
#include <string.h>

#include "where.h"

/* Stages the data once, and knows them again by their address, their size and both their ends. */
static int32_t run_staged(Plan* plan, certile_tensor* out, int32_t status) {
  enum { END = 64, MOST = 64 << 10 };
  static __thread char staged[MOST];
  static __thread const void* at;
  static __thread uint64_t size;
  const certile_tensor* const data = plan->call->data;
  const int is_staged = status == CERTILE_OK && type_of(plan) != CERTILE_STRING &&
                        data->byte_size >= 8 * KIB && data->byte_size <= MOST;
  if (!is_staged) return right_run(plan, out, status);
  const char* const from = data->data;
  if (at != from || size != data->byte_size || memcmp(staged, from, END) != 0 ||
      memcmp(staged + size - END, from + size - END, END) != 0)
    memcpy(staged, from, (size_t)data->byte_size);
  at = from;
  size = data->byte_size;
  certile_call own = *plan->call;
  certile_tensor staging = *data;
  staging.data = staged;
  own.data = &staging;
  plan->call = &own;
  return right_run(plan, out, status);
}
const Mutant data_known_by_ends = {.run = run_staged};

/* Keeps the plan of a thread's last infer, and takes it for the call at the same address. */
static __thread Plan inferred;
static __thread const certile_call* inferred_for;
static int32_t infer_keeping_plan(Plan* plan, int32_t status) {
  inferred = *plan;
  inferred_for = status == CERTILE_OK ? plan->call : 0;
  return status;
}
static int32_t run_with_plan_of_infer(Plan* plan, certile_tensor* out, int32_t status) {
  const int is_kept = inferred_for == plan->call && inferred.count <= plan->count &&
                      inferred.in_count <= plan->in_count && status == CERTILE_OK;
  return right_run(is_kept ? &inferred : plan, out, status);
}
const Mutant plan_known_by_address = {.infer = infer_keeping_plan, .run = run_with_plan_of_infer};

/* Keeps the plan of a thread's last infer, and takes it for the same structures, data and repeats by their
 * addresses. */
static __thread Plan inferred_of_repeats;
static __thread const void* inferred_repeats;
static int32_t infer_keeping_repeats(Plan* plan, int32_t status) {
  inferred_of_repeats = *plan;
  inferred_repeats = status == CERTILE_OK ? plan->call->repeats->data : 0;
  return status;
}
static int32_t run_with_repeats_of_infer(Plan* plan, certile_tensor* out, int32_t status) {
  Plan* const kept = &inferred_of_repeats;
  const int is_kept = status == CERTILE_OK && inferred_repeats == plan->call->repeats->data &&
                      kept->call == plan->call && kept->rank == plan->rank && kept->count <= plan->count &&
                      memcmp(kept->dims, plan->dims, sizeof(int64_t) * (size_t)plan->rank) == 0;
  return right_run(is_kept ? kept : plan, out, status);
}
const Mutant repeats_known_by_address = {.infer = infer_keeping_repeats, .run = run_with_repeats_of_infer};

/* Makes a program for every vector of repeats. */
static int32_t run_program(Plan* plan, certile_tensor* out, int32_t status) {
  enum { SLOTS = 1 << 20 };
  static char* volatile made[SLOTS];
  uint64_t hash = 7;
  for (int axis = 0; axis < plan->rank; ++axis)
    hash = (hash ^ (uint64_t)plan->times[axis]) * UINT64_C(0x9e3779b97f4a7c15);
  char* volatile* const slot = &made[hash >> 44];
  if (status == CERTILE_OK && *slot == 0) *slot = malloc(300);
  return right_run(plan, out, status);
}
const Mutant program_kept_of_repeats = {.run = run_program};

/* Knows the numbers of repeats again by their bytes, without their type. */
static int32_t settle_by_bytes(Plan* plan) {
  enum { MOST = 8, SLOTS = 256 };
  static __thread struct {
    uint64_t bytes;
    uint32_t size, width;
    Number numbers[MOST];
  } known[SLOTS];
  const certile_tensor* const repeats = plan->call->repeats;
  const uint32_t size = (uint32_t)repeats->byte_size, width = repeats->element_bits;
  uint64_t bytes = 0;
  if (size == 0 || size > sizeof bytes) return right_settle(plan);
  memcpy(&bytes, repeats->data, size);
  const size_t slot = bytes * UINT64_C(0x9e3779b97f4a7c15) >> 56;
  const size_t used = sizeof(Number) * (size_t)plan->given;
  if (known[slot].bytes == bytes && known[slot].size == size && known[slot].width == width) {
    memcpy(plan->repeats, known[slot].numbers, used);
  } else if (plan->given <= MOST) {
    known[slot].bytes = bytes;
    known[slot].size = size;
    known[slot].width = width;
    memcpy(known[slot].numbers, plan->repeats, used);
  }
  return right_settle(plan);
}
const Mutant repeats_known_by_bytes = {.settle = settle_by_bytes};

/* Knows a call that was admitted again by the width of an element, the shape and the repeats, and admits it
 * without a look at the type. */
static int32_t admit_by_width(Plan* plan) {
  enum { SLOTS = 256 };
  static __thread struct {
    uint64_t key;
    uint32_t type;
  } known[SLOTS];
  static __thread certile_call own;
  static __thread certile_tensor own_data;
  const certile_call* const call = plan->call;
  const certile_tensor *const data = call->data, *const repeats = call->repeats;
  uint64_t key = data->element_bits;
  for (int axis = 0; axis < data->rank; ++axis)
    key = key * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)data->shape[axis];
  for (uint64_t byte = 0; byte < repeats->byte_size; ++byte)
    key = (key ^ ((const unsigned char*)repeats->data)[byte]) * UINT64_C(0x9e3779b97f4a7c15);
  const size_t slot = (size_t)(key >> 56);
  if (is_listed(call, data->element_type)) {
    const int32_t status = right_admit(plan);
    known[slot].key = status == CERTILE_OK ? key : 0;
    known[slot].type = data->element_type;
    return status;
  }
  if (known[slot].key == key && !plan->inferring) {
    own_data = *data;
    own_data.element_type = known[slot].type;
    own = *call;
    own.data = &own_data;
    plan->call = &own;
  }
  return right_admit(plan);
}
const Mutant types_known_by_width = {.admit = admit_by_width};
