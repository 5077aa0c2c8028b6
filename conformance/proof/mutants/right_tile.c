#include "right_tile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const Mutant* chosen;

int32_t say(const Plan* plan, int32_t status, const char* why) {
  snprintf(plan->why->utf8, plan->why->capacity, "%s", why);
  return status;
}

static int32_t reject(const Plan* plan, const char* why) {
  return say(plan, CERTILE_REJECTED, why);
}

int is_integer(uint32_t type) {
  return type >= CERTILE_I4 && type <= CERTILE_U64;
}

int is_packed(uint32_t type) {
  return type == CERTILE_I4 || (type >= CERTILE_U1 && type <= CERTILE_U6) || type == CERTILE_NF4 ||
         type == CERTILE_F4E2M1;
}

static const Reading readings[] = {
#define READING(number, name, types, repeats, form, negative) {number, types, repeats, form, negative},
#include "backends/shape/definitions.inc"
#undef READING
};

#define READING(number, name, types, repeats, form, negative) name " "
const char names_of_definitions[] =
#include "backends/shape/definitions.inc"
    ;
#undef READING

const Reading* reading_of(const certile_call* call) {
  static const Reading unknown = {0, 0, 0, ALIGNED, REFUSED};
  return call->op - 1 < sizeof readings / sizeof *readings ? &readings[call->op - 1] : &unknown;
}

int is_listed(const certile_call* call, uint32_t type) {
  return type < 32 && (reading_of(call)->types >> type & 1) != 0;
}

int is_empty(const Plan* plan) {
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->shape[axis] == 0) return 1;
  return 0;
}

int is_all_ones(const Plan* plan) {
  for (int axis = 0; axis < plan->rank; ++axis)
    if (plan->times[axis] != 1) return 0;
  return 1;
}

int repeated_axes(const Plan* plan) {
  int count = 0;
  for (int axis = 0; axis < plan->rank; ++axis)
    count += plan->times[axis] > 1;
  return count;
}

int64_t row_of(const Plan* plan) {
  return plan->rank > 0 ? plan->dims[plan->rank - 1] : 1;
}

uint64_t element_bytes(const Plan* plan) {
  return plan->call->data->element_bits / 8;
}

int64_t position_of(const Plan* plan, const int64_t* index) {
  int64_t position = 0;
  for (int axis = 0; axis < plan->rank; ++axis)
    position = position * plan->shape[axis] + index[axis];
  return position;
}

/* Returns up to eight bits from bit `at` on as a number.  u1 fills a byte from the high bit down, the others
 * from the low bit up.  Only bytes that hold one of the bits are read. */
static unsigned bits_at(const unsigned char* bytes, uint32_t type, uint64_t at, unsigned count) {
  const unsigned char* from = bytes + at / 8;
  const unsigned before = (unsigned)(at % 8), mask = (1u << count) - 1;
  const unsigned next = before + count > 8 ? from[1] : 0;
  if (type == CERTILE_U1) return ((unsigned)*from << 8 | next) >> (16 - before - count) & mask;
  return (*from | next << 8) >> before & mask;
}

/* Sets these bits, and leaves the others of their bytes. */
static void set_bits(unsigned char* bytes, uint32_t type, uint64_t at, unsigned count, unsigned value) {
  unsigned char* to = bytes + at / 8;
  const unsigned before = (unsigned)(at % 8);
  const unsigned shift = type == CERTILE_U1 ? 16 - before - count : before;
  const unsigned mask = ((1u << count) - 1) << shift, bits = value << shift & mask;
  const int first = type == CERTILE_U1 ? 8 : 0;
  to[0] = (unsigned char)((to[0] & ~(mask >> first)) | (bits >> first & 0xff));
  if (before + count > 8)
    to[1] = (unsigned char)((to[1] & ~(mask >> (8 - first))) | (bits >> (8 - first) & 0xff));
}

uint64_t packed_at(const void* bytes, uint32_t type, unsigned width, int64_t index) {
  return bits_at(bytes, type, (uint64_t)index * width, width);
}

void set_packed(void* bytes, uint32_t type, unsigned width, int64_t index, uint64_t value) {
  set_bits(bytes, type, (uint64_t)index * width, width, (unsigned)value);
}

static double half_to_double(uint64_t half) {
  const int exponent = (int)(half >> 10 & 31);
  const double fraction = (double)(half & 1023), sign = (half >> 15) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25));
}

static Number from_real(double value) {
  const Number none = {0, 0, 0}, beyond = {1, value < 0, UINT64_MAX};
  if (!isfinite(value) || value != trunc(value)) return none;
  if (fabs(value) >= 18446744073709551616.0) return beyond;
  return (Number){1, value < 0, (uint64_t)fabs(value)};
}

Number right_read(const certile_tensor* operand, int64_t index) {
  const unsigned width = operand->element_bits;
  const unsigned char* from = operand->data;
  uint64_t value = 0;
  float single = 0;
  double wide = 0;
  if (is_packed(operand->element_type))
    value = packed_at(from, operand->element_type, width, index);
  else
    memcpy(&value, from + (uint64_t)index * (width / 8), width / 8);
  if (operand->element_type == CERTILE_F16) return from_real(half_to_double(value));
  if (operand->element_type == CERTILE_F32) {
    memcpy(&single, from + (uint64_t)index * sizeof single, sizeof single);
    return from_real((double)single);
  }
  if (operand->element_type == CERTILE_F64) {
    memcpy(&wide, &value, sizeof wide);
    return from_real(wide);
  }
  const int is_negative = operand->element_type <= CERTILE_I64 && (value >> (width - 1) & 1) != 0;
  if (is_negative && width < 64) value |= UINT64_MAX << width;
  return (Number){1, is_negative, is_negative ? ~value + 1 : value};
}

static int64_t elements_of(const certile_tensor* operand) {
  int64_t count = 1;
  for (int axis = 0; axis < operand->rank; ++axis)
    count *= operand->shape[axis];
  return count;
}

static int is_right_tile_type(const Plan* plan, const certile_tensor* operand) {
  return operand->element_type == CERTILE_I64 || operand->element_type == plan->call->data->element_type;
}

int32_t right_admit(Plan* plan) {
  const certile_call* call = plan->call;
  const certile_tensor *data = call->data, *repeats = call->repeats;
  if (!is_listed(call, data->element_type)) return reject(plan, "the definition has no such type");
  if (reading_of(call)->form == ALONG) {
    if (!is_right_tile_type(plan, repeats) || !is_right_tile_type(plan, call->axis))
      return reject(plan, "tiles or axis has another type than the data and i64");
    if (elements_of(repeats) != 1 || elements_of(call->axis) != 1)
      return reject(plan, "tiles or axis does not have one element");
    return CERTILE_OK;
  }
  if (repeats->element_type >= 32 || (reading_of(call)->repeats >> repeats->element_type & 1) == 0)
    return reject(plan, "repeats has the wrong type");
  if (repeats->rank != 1) return reject(plan, "repeats is no vector");
  if (reading_of(call)->form == ALIGNED && repeats->shape[0] != data->rank)
    return reject(plan, "there must be one repeat for each axis");
  if (repeats->shape[0] > MOST_AXES) return say(plan, CERTILE_UNSUPPORTED, "too many axes");
  return CERTILE_OK;
}

static Number read_at(const certile_tensor* operand, int64_t index) {
  return chosen->read != 0 ? chosen->read(operand, index) : right_read(operand, index);
}

int32_t right_gather(Plan* plan) {
  const certile_call* call = plan->call;
  const int rank = call->data->rank;
  for (int axis = 0; axis < rank; ++axis)
    plan->dims[axis] = call->data->shape[axis];
  if (reading_of(call)->form != ALONG) {
    plan->given = (int)elements_of(call->repeats);
    for (int index = 0; index < plan->given; ++index)
      plan->repeats[index] = read_at(call->repeats, index);
    return CERTILE_OK;
  }
  const Number tiles = read_at(call->repeats, 0), axis = read_at(call->axis, 0);
  if (!tiles.whole || !axis.whole) return reject(plan, "tiles or axis is no whole number");
  if (axis.magnitude > (uint64_t)rank || (!axis.negative && axis.magnitude == (uint64_t)rank))
    return reject(plan, "the data has no such axis");
  plan->given = rank;
  for (int index = 0; index < rank; ++index)
    plan->repeats[index] = (Number){1, 0, 1};
  plan->repeats[axis.negative ? rank - (int)axis.magnitude : (int)axis.magnitude] = tiles;
  return CERTILE_OK;
}

int32_t right_settle(Plan* plan) {
  for (int index = 0; index < plan->given; ++index) {
    if (!plan->repeats[index].negative) continue;
    if (reading_of(plan->call)->negative == REFUSED) return reject(plan, "a repeat is negative");
    plan->repeats[index] = (Number){1, 0, 0};
  }
  return CERTILE_OK;
}

void right_promote(Plan* plan) {
  const int rank = plan->call->data->rank, given = plan->given;
  plan->rank = rank > given ? rank : given;
  const int new_axes = plan->rank - rank, new_repeats = plan->rank - given;
  memmove(plan->dims + new_axes, plan->dims, (size_t)rank * sizeof *plan->dims);
  memmove(plan->repeats + new_repeats, plan->repeats, (size_t)given * sizeof *plan->repeats);
  for (int axis = 0; axis < new_axes; ++axis)
    plan->dims[axis] = 1;
  for (int axis = 0; axis < new_repeats; ++axis)
    plan->repeats[axis] = (Number){1, 0, 1};
}

int32_t right_multiply(Plan* plan) {
  plan->in_count = plan->count = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const uint64_t repeat = plan->repeats[axis].magnitude;
    const int64_t dimension = plan->dims[axis];
    if (dimension > 0 && repeat > (uint64_t)(INT64_MAX / dimension))
      return reject(plan, "a dimension is too large");
    plan->times[axis] = repeat > INT64_MAX ? INT64_MAX : (int64_t)repeat;
    plan->shape[axis] = dimension == 0 ? 0 : dimension * plan->times[axis];
    plan->in_count = (int64_t)((uint64_t)plan->in_count * (uint64_t)dimension);
  }
  if (is_empty(plan)) {
    plan->count = 0;
    return CERTILE_OK;
  }
  for (int axis = 0; axis < plan->rank; ++axis) {
    if (plan->count > INT64_MAX / plan->shape[axis]) return reject(plan, "there are too many elements");
    plan->count *= plan->shape[axis];
  }
  return CERTILE_OK;
}

int32_t make_plan(Plan* plan, const certile_call* call, certile_text* why, int inferring) {
  plan->call = call;
  plan->why = why;
  plan->inferring = inferring;
  plan->rank = plan->given = 0;
  plan->in_count = plan->count = 0;
  if (call->data->rank > MOST_AXES) return say(plan, CERTILE_UNSUPPORTED, "too many axes");
  int32_t status = chosen->admit != 0 ? chosen->admit(plan) : right_admit(plan);
  if (status == CERTILE_OK) status = chosen->gather != 0 ? chosen->gather(plan) : right_gather(plan);
  if (status == CERTILE_OK) status = chosen->settle != 0 ? chosen->settle(plan) : right_settle(plan);
  if (status != CERTILE_OK) return status;
  if (chosen->promote != 0)
    chosen->promote(plan);
  else
    right_promote(plan);
  return chosen->multiply != 0 ? chosen->multiply(plan) : right_multiply(plan);
}

int64_t right_source(const Plan* plan, const int64_t* index) {
  int64_t from = 0;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const int64_t at = index[axis] < plan->dims[axis] ? index[axis] : index[axis] % plan->dims[axis];
    from = from * plan->dims[axis] + at;
  }
  return from;
}

void right_copy(const Plan* plan, void* out, int64_t to, int64_t from) {
  const certile_tensor* data = plan->call->data;
  const uint32_t type = data->element_type;
  const unsigned width = data->element_bits;
  const size_t bytes = width / 8;
  if (is_packed(type)) {
    set_packed(out, type, width, to, packed_at(data->data, type, width, from));
    return;
  }
  char* const into = (char*)out + (size_t)to * bytes;
  const char* const of = (const char*)data->data + (size_t)from * bytes;
  if (bytes == 4) /* a copy of a known size is one instruction */
    memcpy(into, of, 4);
  else if (bytes == 8)
    memcpy(into, of, 8);
  else if (bytes == 1)
    *into = *of;
  else
    memcpy(into, of, bytes);
}

/* Writes one block of `axis` to `to`, reading from `*from`, and returns the end of the block. */
static char* copy_blocks(const Plan* plan, int axis, const char** from, char* to) {
  const size_t bytes = element_bytes(plan);
  char* const begin = to;
  if (axis + 1 >= plan->rank) {
    const size_t row = (size_t)row_of(plan) * bytes;
    memcpy(to, *from, row);
    *from += row;
    to += row;
  } else {
    for (int64_t index = 0; index < plan->dims[axis]; ++index)
      to = copy_blocks(plan, axis + 1, from, to);
  }
  const size_t block = (size_t)(to - begin);
  for (int64_t copy = 1; plan->rank > 0 && copy < plan->times[axis]; ++copy, to += block)
    memcpy(to, begin, block);
  return to;
}

/* Copies bits in the order of the type; within whole bytes as bytes. */
static void copy_bits(const Plan* plan, const void* from, uint64_t from_bit, void* to, uint64_t to_bit,
                      uint64_t count) {
  const uint32_t type = plan->call->data->element_type;
  uint64_t done = 0;
  if (from_bit % 8 == to_bit % 8 && from_bit % 8 == 0) {
    memcpy((char*)to + to_bit / 8, (const char*)from + from_bit / 8, count / 8);
    done = count / 8 * 8;
  }
  for (unsigned some = 8; done < count; done += some) {
    if (count - done < some) some = (unsigned)(count - done);
    set_bits(to, type, to_bit + done, some, bits_at(from, type, from_bit + done, some));
  }
}

/* Does the same as copy_blocks for packed elements; all places are in bits. */
static uint64_t copy_packed_blocks(const Plan* plan, int axis, uint64_t* from, void* out, uint64_t to) {
  const uint64_t begin = to;
  if (axis + 1 >= plan->rank) {
    const uint64_t row = (uint64_t)row_of(plan) * plan->call->data->element_bits;
    copy_bits(plan, plan->call->data->data, *from, out, to, row);
    *from += row;
    to += row;
  } else {
    for (int64_t index = 0; index < plan->dims[axis]; ++index)
      to = copy_packed_blocks(plan, axis + 1, from, out, to);
  }
  const uint64_t block = to - begin;
  for (int64_t copy = 1; plan->rank > 0 && copy < plan->times[axis]; ++copy, to += block)
    copy_bits(plan, out, begin, out, to, block);
  return to;
}

/* Whether nothing is wrong with the shapes and the elements, so that blocks may be copied. */
static int is_right(const Plan* plan) {
  if (chosen->source != 0 || chosen->copy != 0) return 0;
  int64_t count = 1;
  for (int axis = 0; axis < plan->rank; ++axis) {
    if (plan->dims[axis] <= 0 || plan->shape[axis] / plan->dims[axis] != plan->times[axis]) return 0;
    if (plan->shape[axis] % plan->dims[axis] != 0) return 0;
    count = (int64_t)((uint64_t)count * (uint64_t)plan->shape[axis]);
  }
  return count > 0 && count == plan->count;
}

int32_t right_run(Plan* plan, certile_tensor* out, int32_t status) {
  int64_t index[MOST_AXES] = {0};
  if (status != CERTILE_OK || out->byte_size == 0) return status;
  if (is_right(plan)) {
    const char* from = plan->call->data->data;
    uint64_t from_bit = 0;
    if (is_packed(plan->call->data->element_type))
      copy_packed_blocks(plan, 0, &from_bit, out->data, 0);
    else
      copy_blocks(plan, 0, &from, out->data);
    return CERTILE_OK;
  }
  const int last = plan->rank - 1;
  int64_t row = 0; /* where the row begins that is copied to */
  for (int64_t to = 0; to < plan->count; ++to) {
    int64_t from = 0;
    if (chosen->source != 0) {
      from = chosen->source(plan, index);
    } else if (last >= 0) {
      if (index[last] == 0) row = right_source(plan, index);
      from = row + index[last] % plan->dims[last];
    }
    if (from >= 0 && chosen->copy != 0)
      chosen->copy(plan, out->data, to, from);
    else if (from >= 0)
      right_copy(plan, out->data, to, from);
    for (int axis = plan->rank - 1; axis >= 0 && ++index[axis] == plan->shape[axis]; --axis)
      index[axis] = 0;
  }
  return CERTILE_OK;
}
