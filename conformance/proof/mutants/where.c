#include "where.h"

#include <stdlib.h>
#include <string.h>

Fused fused_axes(const Plan* plan) {
  Fused fused = {0, {0}, {0}};
  for (int axis = 0; axis < plan->rank; ++axis) {
    const int64_t dimension = plan->dims[axis], times = plan->times[axis];
    const int last = fused.count - 1;
    if (dimension == 1 && times == 1) continue;
    if (last >= 0 && times == 1)
      fused.dims[last] *= dimension;
    else if (last >= 0 && fused.dims[last] == 1) {
      fused.dims[last] = dimension;
      fused.times[last] *= times;
    } else {
      fused.dims[fused.count] = dimension;
      fused.times[fused.count++] = times;
    }
  }
  return fused;
}

uint64_t bytes_in(const Plan* plan) {
  return plan->call->data->byte_size;
}
unsigned bits_of(const Plan* plan) {
  return plan->call->data->element_bits;
}
uint32_t type_of(const Plan* plan) {
  return plan->call->data->element_type;
}

int is_float(const Plan* plan, unsigned bits) {
  const uint32_t type = type_of(plan);
  return bits_of(plan) == bits && type >= CERTILE_F16 && type <= CERTILE_F64;
}

uint64_t row_bytes(const Plan* plan) {
  return ((uint64_t)row_of(plan) * bits_of(plan) + 7) / 8;
}

/* Multiplies numbers that are not negative, up to 2^62. */
static int64_t times_at_most(int64_t left, int64_t right) {
  const int64_t most = INT64_C(1) << 62;
  return right != 0 && left > most / right ? most : left * right;
}

int64_t copies_of(const Plan* plan) {
  int64_t copies = 1;
  for (int axis = 0; axis < plan->rank; ++axis)
    copies = times_at_most(copies, plan->times[axis]);
  return copies;
}

int64_t most_copies(const Plan* plan) {
  int64_t most = 1;
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->times[axis] > most) most = plan->times[axis];
  return most;
}

int64_t last_times(const Plan* plan) {
  return plan->rank > 0 ? plan->times[plan->rank - 1] : 1;
}

int64_t largest_dimension(const Plan* plan) {
  int64_t most = 1;
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->shape[axis] > most) most = plan->shape[axis];
  return most;
}

int64_t outer_count(const Plan* plan) {
  int64_t count = 1;
  for (int axis = 0; axis + 1 < plan->rank; ++axis)
    count = times_at_most(count, plan->shape[axis]);
  return count;
}

uint64_t largest_block(const Plan* plan, int64_t times) {
  int64_t inner = 1, most = 0;
  for (int axis = plan->rank - 1; axis >= 0; --axis) {
    const int64_t block = times_at_most(inner, plan->dims[axis]);
    if (plan->times[axis] >= times && block > most) most = block;
    inner = times_at_most(inner, plan->shape[axis]);
  }
  return (uint64_t)most * bits_of(plan) / 8;
}

uint64_t address_of(const void* at, uint64_t modulus) {
  return (uint64_t)(uintptr_t)at % modulus;
}

/* ---- replacements for run ---- */

int32_t last_from_first(Plan* plan, certile_tensor* out, int32_t status) {
  const unsigned bits = bits_of(plan);
  const int64_t last = plan->count - 1;
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || plan->count == 0) return status;
  if (is_packed(type_of(plan)))
    set_packed(out->data, type_of(plan), bits, last, packed_at(out->data, type_of(plan), bits, 0));
  else
    memmove((char*)out->data + (uint64_t)last * (bits / 8), out->data, bits / 8);
  return status;
}

/* Runs, and puts back what was in the last bytes. */
static int32_t run_but_bytes(Plan* plan, certile_tensor* out, int32_t status, uint64_t bytes) {
  unsigned char before[64];
  if (bytes > sizeof before) bytes = sizeof before;
  if (bytes > out->byte_size) bytes = out->byte_size;
  if (status != CERTILE_OK || bytes == 0) return right_run(plan, out, status);
  unsigned char* const from = (unsigned char*)out->data + (out->byte_size - bytes);
  memcpy(before, from, (size_t)bytes);
  status = right_run(plan, out, status);
  memcpy(from, before, (size_t)bytes);
  return status;
}

int32_t last_left(Plan* plan, certile_tensor* out, int32_t status) {
  return run_but_bytes(plan, out, status, (bits_of(plan) + 7) / 8);
}
int32_t last_vector_left(Plan* plan, certile_tensor* out, int32_t status) {
  return run_but_bytes(plan, out, status, 16);
}
int32_t last_row_left(Plan* plan, certile_tensor* out, int32_t status) {
  return run_but_bytes(plan, out, status, row_bytes(plan));
}

int32_t middle_from_next(Plan* plan, certile_tensor* out, int32_t status) {
  const unsigned bits = bits_of(plan);
  const int64_t middle = plan->count / 2;
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || middle + 1 >= plan->count) return status;
  if (is_packed(type_of(plan))) {
    const uint64_t next = packed_at(out->data, type_of(plan), bits, middle + 1);
    set_packed(out->data, type_of(plan), bits, middle, next);
  } else {
    char* const at = (char*)out->data + (uint64_t)middle * (bits / 8);
    memmove(at, at + bits / 8, bits / 8);
  }
  return status;
}

/* Applies `change` to each element of whole bytes, up to eight of them. */
static int32_t run_and_change(Plan* plan, certile_tensor* out, int32_t status,
                              uint64_t (*change)(uint64_t value, uint32_t type, unsigned bits)) {
  const unsigned bits = bits_of(plan);
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || bits % 8 != 0 || bits > 64) return status;
  for (int64_t index = 0; index < plan->count; ++index) {
    char* const at = (char*)out->data + (uint64_t)index * (bits / 8);
    uint64_t value = 0;
    memcpy(&value, at, bits / 8);
    value = change(value, type_of(plan), bits);
    memcpy(at, &value, bits / 8);
  }
  return status;
}

/* The bits of a float's fraction. */
static unsigned fraction_of(uint32_t type) {
  return type == CERTILE_F16 ? 10 : type == CERTILE_BF16 ? 7 : type == CERTILE_F32 ? 23 : 52;
}
static int is_real(uint32_t type) {
  return type >= CERTILE_F16 && type <= CERTILE_F64;
}

static uint64_t without_minus_zero(uint64_t value, uint32_t type, unsigned bits) {
  return is_real(type) && value == UINT64_C(1) << (bits - 1) ? 0 : value;
}
static uint64_t with_quiet_nan(uint64_t value, uint32_t type, unsigned bits) {
  if (!is_real(type)) return value;
  const unsigned fraction = fraction_of(type);
  const uint64_t exponents = ((UINT64_C(1) << (bits - 1 - fraction)) - 1) << fraction;
  const uint64_t magnitude = value & (UINT64_MAX >> (65 - bits));
  return magnitude > exponents ? value | UINT64_C(1) << (fraction - 1) : value;
}
static uint64_t through_float(uint64_t value, uint32_t type, unsigned bits) {
  double wide = 0;
  if (type != CERTILE_F64 || bits != 64) return value;
  memcpy(&wide, &value, sizeof wide);
  wide = (double)(float)wide;
  memcpy(&value, &wide, sizeof value);
  return value;
}
static uint64_t lower_word(uint64_t value, uint32_t type, unsigned bits) {
  const int is_long = bits == 64 && (type == CERTILE_I64 || type == CERTILE_U64);
  return is_long ? value & UINT32_MAX : value;
}
static uint64_t without_subnormal(uint64_t value, uint32_t type, unsigned bits) {
  if (!is_real(type) || bits > 32) return value;
  const unsigned fraction = fraction_of(type);
  const uint64_t magnitude = value & (UINT64_MAX >> (65 - bits));
  return magnitude >> fraction == 0 ? value & UINT64_C(1) << (bits - 1) : value;
}

int32_t minus_zero_lost(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_change(plan, out, status, without_minus_zero);
}
int32_t nans_quieted(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_change(plan, out, status, with_quiet_nan);
}
int32_t cut_to_floats(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_change(plan, out, status, through_float);
}
int32_t upper_words_lost(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_change(plan, out, status, lower_word);
}
int32_t subnormals_flushed(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_change(plan, out, status, without_subnormal);
}

int32_t has_crashed(Plan* plan, certile_tensor* out, int32_t status) {
  (void)plan;
  (void)out;
  (void)status;
  abort();
}

int64_t source_of_position(const Plan* plan, int64_t position) {
  int64_t from = 0, stride = 1;
  if (plan->count <= INT32_MAX) { /* division takes longer the more bits there are */
    uint32_t rest = (uint32_t)position;
    for (int axis = plan->rank - 1; axis >= 0; --axis) {
      const uint32_t dimension = (uint32_t)plan->dims[axis], extent = (uint32_t)plan->shape[axis];
      if (extent == 1) continue;
      const uint32_t next = rest / extent;
      from += (int64_t)((rest - next * extent) % dimension) * stride;
      stride *= dimension;
      rest = next;
    }
    return from;
  }
  for (int axis = plan->rank - 1; axis >= 0; --axis) {
    from += position % plan->shape[axis] % plan->dims[axis] * stride;
    stride *= plan->dims[axis];
    position /= plan->shape[axis];
  }
  return from;
}
