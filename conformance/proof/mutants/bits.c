/* Element types: the effect of a copy on the bits, and the width of an element. */
#include <string.h>

#include "right_tile.h"

static uint32_t type_of(const Plan* plan) {
  return plan->call->data->element_type;
}

/* Copies the element correctly and returns its place in the output; for types of whole bytes. */
static char* copied(const Plan* plan, void* out, int64_t to, int64_t from) {
  right_copy(plan, out, to, from);
  return (char*)out + (uint64_t)to * element_bytes(plan);
}

/* Copies as many elements as the data has, each four bytes wide. */
static int32_t run_four_bytes(Plan* plan, certile_tensor* out, int32_t status) {
  int64_t index[MOST_AXES] = {0};
  if (status != CERTILE_OK || out->byte_size == 0 || is_packed(type_of(plan)) || element_bytes(plan) == 4)
    return right_run(plan, out, status);
  for (int64_t to = 0; to < plan->count; ++to) {
    memcpy((char*)out->data + to * 4, (const char*)plan->call->data->data + right_source(plan, index) * 4, 4);
    for (int axis = plan->rank - 1; axis >= 0 && ++index[axis] == plan->shape[axis]; --axis)
      index[axis] = 0;
  }
  return status;
}
const Mutant every_element_has_four_bytes = {.run = run_four_bytes};

static void flush_halves(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  const unsigned exponent = type_of(plan) == CERTILE_F16 ? 0x7c00 : 0x7f80;
  uint16_t bits = 0;
  if (type_of(plan) != CERTILE_F16 && type_of(plan) != CERTILE_BF16) return;
  memcpy(&bits, at, sizeof bits);
  if ((bits & exponent) == 0) bits &= 0x8000;
  memcpy(at, &bits, sizeof bits);
}
const Mutant subnormal_halves_flushed = {.copy = flush_halves};

static void canonical_nans(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint32_t bits = 0;
  if (type_of(plan) != CERTILE_F32) return;
  memcpy(&bits, at, sizeof bits);
  if ((bits & 0x7fffffff) > 0x7f800000) bits = 0x7fc00000;
  memcpy(at, &bits, sizeof bits);
}
const Mutant nans_made_canonical = {.copy = canonical_nans};

static void quiet_nans(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint64_t bits = 0;
  if (type_of(plan) != CERTILE_F64) return;
  memcpy(&bits, at, sizeof bits);
  if ((bits & INT64_MAX) > UINT64_C(0x7ff0000000000000)) bits |= UINT64_C(1) << 51;
  memcpy(at, &bits, sizeof bits);
}
const Mutant nans_made_quiet = {.copy = quiet_nans};

static void quiet_halves(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint16_t bits = 0;
  if (type_of(plan) != CERTILE_F16) return;
  memcpy(&bits, at, sizeof bits);
  if ((bits & 0x7fff) > 0x7c00) bits |= 0x200;
  memcpy(at, &bits, sizeof bits);
}
const Mutant nan_halves_made_quiet = {.copy = quiet_halves};

/* Does what `element + -0.0f` does, written by hand, because a compiler may omit the addition. */
static void quiet_floats(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint32_t bits = 0;
  if (type_of(plan) != CERTILE_F32) return;
  memcpy(&bits, at, sizeof bits);
  if ((bits & 0x7fffffff) > 0x7f800000) bits |= 0x400000;
  memcpy(at, &bits, sizeof bits);
}
const Mutant nan_floats_made_quiet = {.copy = quiet_floats};

static void without_minus_zero(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint32_t bits = 0;
  if (type_of(plan) != CERTILE_F32) return;
  memcpy(&bits, at, sizeof bits);
  if (bits == 0x80000000) bits = 0;
  memcpy(at, &bits, sizeof bits);
}
const Mutant zero_is_added = {.copy = without_minus_zero};

static void through_float(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint32_t bits = 0;
  if (type_of(plan) != CERTILE_U32 && type_of(plan) != CERTILE_I32) return;
  memcpy(&bits, at, sizeof bits);
  bits = (uint32_t)(uint64_t)(float)bits;
  memcpy(at, &bits, sizeof bits);
}
const Mutant integers_go_through_f32 = {.copy = through_float};

static void sign_extended(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint64_t bits = 0;
  if (type_of(plan) != CERTILE_I64 && type_of(plan) != CERTILE_U64) return;
  memcpy(&bits, at, sizeof bits);
  bits = (bits & 0x80000000) != 0 ? bits | ~UINT64_C(0xffffffff) : bits & 0xffffffff;
  memcpy(at, &bits, sizeof bits);
}
const Mutant long_integers_cut_to_32_bits = {.copy = sign_extended};

static void through_double(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  uint64_t bits = 0;
  if (type_of(plan) != CERTILE_U64) return;
  memcpy(&bits, at, sizeof bits);
  if (bits < UINT64_C(1) << 63) bits = (uint64_t)(double)bits;
  memcpy(at, &bits, sizeof bits);
}
const Mutant long_integers_go_through_f64 = {.copy = through_double};

static void f64_through_f32(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  double value = 0;
  if (type_of(plan) != CERTILE_F64) return;
  memcpy(&value, at, sizeof value);
  if (value > -3e38 && value < 3e38) value = (double)(float)value;
  memcpy(at, &value, sizeof value);
}
const Mutant doubles_go_through_f32 = {.copy = f64_through_f32};

static void up_to_nul(const Plan* plan, void* out, int64_t to, int64_t from) {
  certile_string text;
  char* at = copied(plan, out, to, from);
  if (type_of(plan) != CERTILE_STRING) return;
  memcpy(&text, at, sizeof text);
  const char* nul = text.size > 0 ? memchr(text.bytes, 0, (size_t)text.size) : 0;
  if (nul != 0) text.size = (uint64_t)(nul - text.bytes);
  memcpy(at, &text, sizeof text);
}
const Mutant strings_end_at_nul = {.copy = up_to_nul};

static void short_strings(const Plan* plan, void* out, int64_t to, int64_t from) {
  certile_string text;
  char* at = copied(plan, out, to, from);
  if (type_of(plan) != CERTILE_STRING) return;
  memcpy(&text, at, sizeof text);
  if (text.size > 15) text.size = 15;
  memcpy(at, &text, sizeof text);
}
const Mutant strings_cut_to_15_bytes = {.copy = short_strings};

static void booleans_to_one(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  if (type_of(plan) == CERTILE_BOOLEAN && *at != 0) *at = (char)0xff;
}
const Mutant true_is_all_bits = {.copy = booleans_to_one};

static void one_half_of_complex(const Plan* plan, void* out, int64_t to, int64_t from) {
  char* at = copied(plan, out, to, from);
  if (type_of(plan) == CERTILE_C64) memset(at + 4, 0, 4);
  if (type_of(plan) == CERTILE_C128) memset(at + 8, 0, 8);
}
const Mutant imaginary_parts_lost = {.copy = one_half_of_complex};

/* ---- four bits ---- */

static int is_nibble(const Plan* plan) {
  return plan->call->data->element_bits == 4;
}

static int64_t whole_bytes_only(const Plan* plan, const int64_t* index) {
  const int is_last = plan->count % 2 == 1 && position_of(plan, index) == plan->count - 1;
  return is_nibble(plan) && is_last ? -1 : right_source(plan, index);
}
const Mutant odd_nibble_forgotten = {.source = whole_bytes_only};

static void other_nibble(const Plan* plan, void* out, int64_t to, int64_t from) {
  const int has_neighbour = (to | 1) < plan->count;
  right_copy(plan, out, is_nibble(plan) && has_neighbour ? to ^ 1 : to, from);
}
const Mutant nibbles_exchanged = {.copy = other_nibble};

/* Reads and writes the elements of every byte in the opposite order. */
static void from_the_other_end(const Plan* plan, void* out, int64_t to, int64_t from) {
  const certile_tensor* data = plan->call->data;
  const unsigned width = data->element_bits;
  if (!is_packed(data->element_type) || 8 % width != 0) {
    right_copy(plan, out, to, from);
    return;
  }
  const int64_t last = 8 / (int64_t)width - 1;                      /* of a byte */
  if ((to & last) == 0) ((unsigned char*)out)[to / (last + 1)] = 0; /* whole bytes are written */
  set_packed(out, data->element_type, width, to ^ last,
             packed_at(data->data, data->element_type, width, from ^ last));
}
const Mutant bytes_read_from_the_other_end = {.copy = from_the_other_end};

static void rows_on_bytes(const Plan* plan, void* out, int64_t to, int64_t from) {
  const int64_t row = plan->rank > 0 ? plan->shape[plan->rank - 1] : 1;
  right_copy(plan, out, is_nibble(plan) ? to + to / row * (row % 2) : to, from);
}
const Mutant nibble_rows_begin_on_bytes = {.copy = rows_on_bytes};

/* ---- which types there are ---- */

/* Omits the first type of each definition. */
static int32_t admit_fewer(Plan* plan) {
  const uint32_t type = type_of(plan), types = reading_of(plan->call)->types & ~1u;
  const int is_forgotten = type < 32 && (types & (1u << type)) != 0 && (types & ((1u << type) - 1)) == 0;
  return is_forgotten ? say(plan, CERTILE_REJECTED, "no such type") : right_admit(plan);
}
const Mutant a_listed_type_refused = {.admit = admit_fewer};

/* Treats the operand as one of another type, for the checks only. */
static int32_t admit_as(Plan* plan, uint32_t data_type, uint32_t repeats_type) {
  const certile_call* call = plan->call;
  certile_tensor data = *call->data, repeats = *call->repeats;
  certile_call seen = *call;
  data.element_type = data_type;
  repeats.element_type = repeats_type;
  seen.data = &data;
  seen.repeats = &repeats;
  plan->call = &seen;
  const int32_t status = right_admit(plan);
  plan->call = call;
  return status;
}

static int32_t admit_every_type(Plan* plan) {
  return admit_as(plan, is_listed(plan->call, type_of(plan)) ? type_of(plan) : CERTILE_F32,
                  plan->call->repeats->element_type);
}
const Mutant every_type_accepted = {.admit = admit_every_type};

static int32_t admit_i32_repeats(Plan* plan) {
  const uint32_t type = plan->call->repeats->element_type;
  return admit_as(plan, type_of(plan), type == CERTILE_I32 ? CERTILE_I64 : type);
}
const Mutant narrower_repeats_accepted = {.admit = admit_i32_repeats};

static int32_t admit_real_repeats(Plan* plan) {
  const uint32_t type = plan->call->repeats->element_type;
  return admit_as(plan, type_of(plan), type == CERTILE_F32 ? CERTILE_I64 : type);
}
const Mutant real_repeats_accepted = {.admit = admit_real_repeats};

static int32_t refuse_i32_repeats(Plan* plan) {
  const int is_i32 = plan->call->repeats->element_type == CERTILE_I32;
  return is_i32 ? say(plan, CERTILE_REJECTED, "repeats must be i64") : right_admit(plan);
}
const Mutant repeats_of_i32_refused = {.admit = refuse_i32_repeats};

/* Treats repeats of another rank as the vector of their elements. */
static int32_t admit_reshaped(Plan* plan, int wanted_rank) {
  const certile_call* call = plan->call;
  certile_tensor repeats = *call->repeats;
  certile_call seen = *call;
  int64_t count = 1;
  if (reading_of(call)->form == ALONG || repeats.rank != wanted_rank) return right_admit(plan);
  for (int axis = 0; axis < repeats.rank; ++axis)
    count *= repeats.shape[axis];
  repeats.rank = 1;
  repeats.shape = &count;
  seen.repeats = &repeats;
  plan->call = &seen;
  const int32_t status = right_admit(plan);
  plan->call = call;
  return status;
}

static int32_t admit_scalar_repeats(Plan* plan) {
  return admit_reshaped(plan, 0);
}
const Mutant scalar_repeats_accepted = {.admit = admit_scalar_repeats};

static int32_t admit_matrix_of_repeats(Plan* plan) {
  return admit_reshaped(plan, 2);
}
const Mutant matrix_of_repeats_accepted = {.admit = admit_matrix_of_repeats};
