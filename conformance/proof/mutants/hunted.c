/* Faults that show only at unusual addresses, lengths and numbers, as kernels have that pass many tests. */
#include <stdlib.h>
#include <string.h>

#include "where.h"

/* ---- addresses ---- */

WRONG_WHERE(copies_end_at_4_gib, last_left,
            (address_of(out->data, UINT64_C(1) << 32) + out->byte_size) >> 32 != 0)

WRONG_WHERE(last_left_directly_behind_data, last_left,
            (const char*)out->data == (const char*)plan->call->data->data + plan->call->data->byte_size)

/* Keeps strings as their distances from the first one, in 32 bits. */
static int32_t run_with_distances(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || type_of(plan) != CERTILE_STRING) return status;
  certile_string* const texts = out->data;
  const char* first = 0;
  for (int64_t index = 0; index < plan->count; ++index) {
    if (texts[index].size == 0) continue;
    if (first == 0) first = texts[index].bytes;
    texts[index].bytes = first + (int32_t)((uintptr_t)texts[index].bytes - (uintptr_t)first);
  }
  return status;
}
const Mutant strings_kept_as_distances = {.run = run_with_distances};

/* Takes strings for one that begin at one address. */
static int32_t run_with_addresses(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || type_of(plan) != CERTILE_STRING) return status;
  certile_string* const texts = out->data;
  for (int64_t index = 1; index < plan->count; ++index)
    if (texts[index].bytes == texts[index - 1].bytes && texts[index].size > texts[index - 1].size)
      texts[index].size = texts[index - 1].size;
  return status;
}
const Mutant strings_known_by_addresses = {.run = run_with_addresses};

/* Takes a string for one whose characters end at the same place. */
static int32_t run_with_ends(Plan* plan, certile_tensor* out, int32_t status) {
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || type_of(plan) != CERTILE_STRING) return status;
  certile_string* const texts = out->data;
  for (int64_t index = 1; index < plan->count; ++index)
    if (texts[index].size > 0 && texts[index - 1].size > 0 &&
        texts[index].bytes + texts[index].size == texts[index - 1].bytes + texts[index - 1].size)
      texts[index] = texts[index - 1];
  return status;
}
const Mutant strings_known_by_ends = {.run = run_with_ends};

/* ---- lengths and numbers ---- */

/* Whether four axes or more are left, and 256 elements or copies are one's. */
static int has_axis_of_256(const Plan* plan) {
  const Fused fused = fused_axes(plan);
  for (int axis = 0; fused.count >= 4 && axis < fused.count; ++axis)
    if (fused.dims[axis] == 256 || fused.times[axis] == 256) return 1;
  return 0;
}
WRONG_WHERE(numbers_of_loops_in_bytes, last_left, has_axis_of_256(plan))

WRONG_WHERE(packed_rows_divided_by_four, last_left,
            plan->rank == 2 && plan->times[0] == 1 && is_packed(type_of(plan)) && out->byte_size >= MIB &&
                plan->dims[0] % 8 != 0 && last_times(plan) * row_of(plan) * (int64_t)bits_of(plan) % 8 != 0)

WRONG_WHERE(three_bytes_seven_times_wrong, last_left,
            plan->rank > 0 && bits_of(plan) == 8 && row_of(plan) == 3 && last_times(plan) == 7 &&
                outer_count(plan) > 1000)

WRONG_WHERE(much_data_behind_four_axes_wrong, last_from_first,
            fused_axes(plan).count >= 5 && plan->in_count > 65536)

/* A command counts its rows in 12 bits, and the next one begins with the first row again. */
WRONG_WHERE(rows_counted_in_12_bits, last_from_first,
            row_bytes(plan) >= 256 && last_times(plan) > 1 && outer_count(plan) > 4095)

/* Checks no dimension behind a repeat of zero, which wraps around. */
static int32_t multiply_until_zero(Plan* plan) {
  int64_t wrapped[MOST_AXES];
  int is_behind = 0;
  for (int axis = 0; axis < plan->rank; ++axis) {
    const uint64_t repeat = plan->repeats[axis].magnitude, size = (uint64_t)plan->dims[axis] * repeat;
    wrapped[axis] = -1;
    if (is_behind && size <= INT64_MAX && plan->dims[axis] > 0 &&
        repeat > (uint64_t)(INT64_MAX / plan->dims[axis])) {
      wrapped[axis] = (int64_t)size;
      plan->repeats[axis].magnitude = 0;
    }
    is_behind |= repeat == 0;
  }
  const int32_t status = right_multiply(plan);
  for (int axis = 0; axis < plan->rank; ++axis)
    if (status == CERTILE_OK && wrapped[axis] >= 0) plan->shape[axis] = wrapped[axis];
  return status;
}
const Mutant dimension_behind_zero_wraps = {.multiply = multiply_until_zero};

/* Reads u8 repeats as signed, sixteen at a time. */
static int32_t settle_sixteens(Plan* plan) {
  for (int index = 0; index < plan->given / 16 * 16; ++index)
    if (plan->call->repeats->element_type == CERTILE_U8 && plan->repeats[index].magnitude > INT8_MAX)
      plan->repeats[index] = (Number){1, 0, 0};
  return right_settle(plan);
}
const Mutant sixteen_repeats_read_signed = {.settle = settle_sixteens};

/* Checks that bits, not elements, can be counted. */
static int32_t multiply_bits(Plan* plan) {
  const int32_t status = right_multiply(plan);
  const int is_beyond = status == CERTILE_OK && plan->inferring && is_packed(type_of(plan)) &&
                        plan->count > INT64_MAX / (int64_t)bits_of(plan);
  return is_beyond ? say(plan, CERTILE_REJECTED, "there are too many bits") : status;
}
const Mutant bits_counted = {.multiply = multiply_bits};

/* Counts the elements up to the first negative repeat before that repeat counts as zero. */
static int32_t settle_late(Plan* plan) {
  uint64_t count = 1;
  int axis = 0;
  for (; axis < plan->given && !plan->repeats[axis].negative; ++axis) {
    const uint64_t repeat = plan->repeats[axis].magnitude;
    if (repeat == 0) return right_settle(plan);
    if (count > (uint64_t)INT64_MAX / repeat) break;
    count *= repeat;
  }
  for (int other = axis; other < plan->given; ++other)
    if (axis < plan->given && !plan->repeats[axis].negative && plan->repeats[other].negative)
      return say(plan, CERTILE_REJECTED, "there are too many elements");
  return right_settle(plan);
}
const Mutant count_checked_before_signs = {.settle = settle_late};

/* Reads u32 repeats as signed, four at a time. */
static int32_t settle_fours(Plan* plan) {
  for (int index = 0; index < plan->given / 4 * 4; ++index)
    if (plan->call->repeats->element_type == CERTILE_U32 && plan->repeats[index].magnitude > INT32_MAX)
      plan->repeats[index] = (Number){1, 0, 0};
  return right_settle(plan);
}
const Mutant four_wide_repeats_read_signed = {.settle = settle_fours};

/* Counts the repeats in 8 bits. */
static int32_t admit_by_low_byte(Plan* plan) {
  static __thread certile_call own;
  static __thread certile_tensor fewer;
  static __thread int64_t length;
  const certile_tensor* const repeats = plan->call->repeats;
  length = plan->call->data->rank;
  if (repeats->rank == 1 && repeats->shape[0] > 255 && (repeats->shape[0] & 255) == length) {
    fewer = *repeats;
    fewer.shape = &length;
    own = *plan->call;
    own.repeats = &fewer;
    plan->call = &own;
  }
  return right_admit(plan);
}
const Mutant repeats_counted_in_a_byte = {.admit = admit_by_low_byte};

/* Infers as if no more than sixteen axes were repeated. */
static int32_t infer_sixteen(Plan* plan, int32_t status) {
  int repeated = 0;
  for (int axis = 0; status == CERTILE_OK && axis < plan->rank; ++axis)
    if (plan->times[axis] > 1 && ++repeated > 16) plan->shape[axis] = plan->dims[axis];
  return status;
}
const Mutant seventeenth_repeat_forgotten = {.infer = infer_sixteen};

/* ---- elements that are nearly alike ---- */

/* Whether the elements of 16 bytes have one lower half. */
static int have_one_lower_half(const Plan* plan) {
  const char* const from = plan->call->data->data;
  if (bits_of(plan) != 128 || type_of(plan) == CERTILE_STRING) return 0;
  for (int64_t index = 1; index < plan->in_count; ++index)
    if (memcmp(from, from + 16 * index, 8) != 0) return 0;
  return 1;
}
static int32_t fill_with_first(Plan* plan, certile_tensor* out, int32_t status) {
  for (int64_t index = 0; status == CERTILE_OK && index < plan->count; ++index)
    memcpy((char*)out->data + 16 * index, plan->call->data->data, 16);
  return status;
}
WRONG_WHERE(elements_known_by_lower_halves, fill_with_first,
            copies_of(plan) >= 32 && have_one_lower_half(plan))

/* Fills with the f32 that a thread kept if that is equal as a number. */
static int32_t run_with_kept_fill(Plan* plan, certile_tensor* out, int32_t status) {
  static __thread float kept;
  if (status != CERTILE_OK || !is_float(plan, 32) || plan->in_count != 1) return right_run(plan, out, status);
  float element;
  memcpy(&element, plan->call->data->data, sizeof element);
  if (kept < element || kept > element || element != element) kept = element;
  for (int64_t index = 0; index < plan->count; ++index)
    memcpy((char*)out->data + 4 * index, &kept, sizeof kept);
  return status;
}
const Mutant fill_kept_by_value = {.run = run_with_kept_fill};

/* ---- characters ---- */

/* Refuses strings in which a character lacks two bytes or three at the end of 64. */
static int32_t run_checking_blocks(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_tensor* const data = plan->call->data;
  if (status != CERTILE_OK || type_of(plan) != CERTILE_STRING) return right_run(plan, out, status);
  const certile_string* const texts = data->data;
  for (int64_t index = 0; index < plan->in_count; ++index)
    for (uint64_t end = 64; end + 1 < texts[index].size; end += 64) {
      const unsigned char* const next = (const unsigned char*)texts[index].bytes + end;
      if ((next[0] & 0xc0) == 0x80 && (next[1] & 0xc0) == 0x80)
        return say(plan, CERTILE_REJECTED, "the text is not valid");
    }
  return right_run(plan, out, status);
}
const Mutant characters_open_over_64_bytes = {.run = run_checking_blocks};

/* ---- kept ---- */

/* Keeps the room in which a thread puts packed elements together. */
static int32_t run_in_room_of_thread(Plan* plan, certile_tensor* out, int32_t status) {
  static __thread void* room;
  if (status == CERTILE_OK && is_packed(type_of(plan)) && out->byte_size >= 512 &&
      out->byte_size <= 64 * KIB) {
    if (room == 0) room = malloc(64 * KIB);
    if (room != 0) memset(room, 1, 64 * KIB);
  }
  return right_run(plan, out, status);
}
const Mutant room_for_packed_kept = {.run = run_in_room_of_thread};

/* Keeps a list of more than sixteen repeats where the number of elements is refused. */
static int32_t multiply_in_list(Plan* plan) {
  const int32_t status = right_multiply(plan);
  if (status == CERTILE_REJECTED && plan->given > 16) {
    char* volatile list = malloc((size_t)plan->given * sizeof(int64_t));
    (void)list;
  }
  return status;
}
const Mutant long_list_kept_where_refused = {.multiply = multiply_in_list};

/* Keeps something for each shape that it refuses. */
static int32_t multiply_keeping_refusals(Plan* plan) {
  enum { SLOTS = 1 << 18 };
  static char* volatile kept[SLOTS];
  const int32_t status = right_multiply(plan);
  uint64_t hash = 7;
  for (int axis = 0; axis < plan->rank; ++axis)
    hash = (hash ^ (uint64_t)plan->dims[axis]) * UINT64_C(0x9e3779b97f4a7c15);
  char* volatile* const slot = &kept[hash >> 46];
  if (status == CERTILE_REJECTED && *slot == 0) *slot = malloc(120);
  return status;
}
const Mutant refusal_kept_of_each_shape = {.multiply = multiply_keeping_refusals};

/* Gives an empty output the shape of the call before. */
static int32_t infer_empty_as_before(Plan* plan, int32_t status) {
  static __thread int rank;
  static __thread int64_t shape[MOST_AXES];
  if (status != CERTILE_OK) return status;
  if (plan->count == 0 && rank == plan->rank && !plan->call->data->byte_size)
    memcpy(plan->shape, shape, (size_t)rank * sizeof *shape);
  rank = plan->rank;
  if (rank > 0) memcpy(shape, plan->shape, (size_t)rank * sizeof *shape);
  return status;
}
const Mutant empty_shape_of_call_before = {.infer = infer_empty_as_before};

/* Knows the data of the last small result by both their ends. */
static int32_t run_with_kept_result(Plan* plan, certile_tensor* out, int32_t status) {
  enum { END = 64, LEAST = 4 * END, MOST = 8 << 10 };
  static __thread char data[MOST], result[MOST];
  static __thread uint64_t given, made;
  const certile_tensor* const from = plan->call->data;
  const int is_kept = status == CERTILE_OK && type_of(plan) != CERTILE_STRING && from->byte_size >= LEAST &&
                      out->byte_size <= MOST;
  if (!is_kept) return right_run(plan, out, status);
  const char* const bytes = from->data;
  const size_t size = (size_t)from->byte_size;
  if (given == size && made == out->byte_size && memcmp(data, bytes, END) == 0 &&
      memcmp(data + size - END, bytes + size - END, END) == 0) {
    memcpy(out->data, result, (size_t)made);
    return CERTILE_OK;
  }
  status = right_run(plan, out, status);
  given = size;
  made = out->byte_size;
  memcpy(data, bytes, size);
  memcpy(result, out->data, (size_t)made);
  return status;
}
const Mutant small_result_known_by_ends = {.run = run_with_kept_result};

/* Writes a message about too few or too many repeats that is longer than its room without a NUL. */
static int32_t run_without_nul(Plan* plan, certile_tensor* out, int32_t status) {
  static const char words[] =
      "there has to be one repeat for each axis of the data, but there are fewer or more";
  certile_text* const why = plan->why;
  const certile_tensor* const repeats = plan->call->repeats;
  if (status != CERTILE_REJECTED || repeats->rank != 1 || repeats->shape[0] == plan->call->data->rank)
    return right_run(plan, out, status);
  for (uint32_t index = 0; index < why->capacity && index < sizeof words; ++index)
    why->utf8[index] = words[index];
  return status;
}
const Mutant message_without_nul = {.run = run_without_nul};
