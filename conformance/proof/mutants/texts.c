/* Strings: their lengths, their bytes, and where their characters lie. */
#include <stdlib.h>
#include <string.h>

#include "where.h"

/* Gives each string of the output to `change`, which may replace it. */
static int32_t run_and_edit(Plan* plan, certile_tensor* out, int32_t status,
                            void (*change)(certile_string* text)) {
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && type_of(plan) == CERTILE_STRING)
    for (int64_t index = 0; index < plan->count; ++index)
      change((certile_string*)out->data + index);
  return status;
}

/* Returns room that lasts until the thread needs so much again. */
static char* room_for(uint64_t size) {
  enum { ALL = 1 << 22 };
  static __thread char* all;
  static __thread uint64_t used;
  if (size > ALL) return 0;
  if (all == 0) all = malloc(ALL);
  if (used + size > ALL) used = 0;
  char* const room = all + used;
  used += size;
  return room;
}
/* Replaces byte `at` of the string by `value`, in a copy. */
static void replace_byte(certile_string* text, uint64_t at, int value) {
  char* const copy = room_for(text->size);
  if (copy == 0) return;
  memcpy(copy, text->bytes, (size_t)text->size);
  copy[at] = (char)value;
  text->bytes = copy;
}

static void cut_to_8_bits(certile_string* text) {
  text->size &= 255;
}
static int32_t run_cutting_8_bits(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_edit(plan, out, status, cut_to_8_bits);
}
const Mutant string_lengths_in_8_bits = {.run = run_cutting_8_bits};

static void mark_first(certile_string* text) {
  if (text->size >= 23 && (text->bytes[0] & 0x80) != 0) replace_byte(text, 0, text->bytes[0] & 0x7f);
}
static int32_t run_marking(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_edit(plan, out, status, mark_first);
}
const Mutant first_high_byte_taken_for_mark = {.run = run_marking};

static void terminate(certile_string* text) {
  if (text->size >= 24 && text->size < 32) replace_byte(text, text->size - 1, 0);
}
static int32_t run_terminating(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_edit(plan, out, status, terminate);
}
const Mutant strings_of_24_terminated = {.run = run_terminating};

static int32_t run_interning_by_sum(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_string* known[256] = {0};
  status = right_run(plan, out, status);
  for (int64_t index = 0; status == CERTILE_OK && type_of(plan) == CERTILE_STRING && index < plan->count;
       ++index) {
    certile_string* const text = (certile_string*)out->data + index;
    unsigned sum = (unsigned)text->size;
    for (uint64_t at = 0; at < text->size; ++at)
      sum += (unsigned char)text->bytes[at];
    unsigned other = 0;
    const certile_string* const found = known[sum % 256];
    for (uint64_t at = 0; found != 0 && found->size == text->size && at < text->size; ++at)
      other += (unsigned char)found->bytes[at];
    if (found != 0 && found->size == text->size && other + (unsigned)text->size == sum)
      text->bytes = found->bytes;
    else
      known[sum % 256] = text;
  }
  return status;
}
const Mutant strings_known_by_their_sum = {.run = run_interning_by_sum};

/* Takes the characters of each string for those behind the string before. */
static int32_t run_taking_one_block(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_call* const call = plan->call;
  certile_tensor data = *call->data;
  certile_call moved = *call;
  certile_string* texts = 0;
  if (status == CERTILE_OK && type_of(plan) == CERTILE_STRING && plan->in_count > 0 &&
      (texts = malloc((size_t)plan->in_count * sizeof *texts)) != 0) {
    memcpy(texts, data.data, (size_t)plan->in_count * sizeof *texts);
    for (int64_t index = 1; index < plan->in_count; ++index)
      texts[index].bytes = texts[index - 1].bytes + texts[index - 1].size;
    data.data = texts;
    moved.data = &data;
    plan->call = &moved;
  }
  status = right_run(plan, out, status);
  plan->call = call;
  free(texts);
  return status;
}
const Mutant strings_taken_for_one_block = {.run = run_taking_one_block};

static int32_t refuse_null(Plan* plan, certile_tensor* out, int32_t status) {
  const certile_string* const texts = plan->call->data->data;
  for (int64_t index = 0; status == CERTILE_OK && type_of(plan) == CERTILE_STRING && index < plan->in_count;
       ++index)
    if (texts[index].bytes == 0) status = say(plan, CERTILE_REJECTED, "a string is missing");
  return right_run(plan, out, status);
}
const Mutant empty_strings_need_an_address = {.run = refuse_null};

enum { ROOM_ON_STACK = 512 };
__attribute__((noinline)) static void move_to(char* room, certile_tensor* out, int64_t count) {
  uint64_t used = 0;
  for (int64_t index = 0; index < count; ++index) {
    certile_string* const text = (certile_string*)out->data + index;
    if (text->size == 0 || used + text->size > ROOM_ON_STACK) continue;
    memcpy(room + used, text->bytes, (size_t)text->size);
    text->bytes = room + used;
    used += text->size;
  }
}
static int32_t run_on_the_stack(Plan* plan, certile_tensor* out, int32_t status) {
  char room[ROOM_ON_STACK];
  status = right_run(plan, out, status);
  if (status == CERTILE_OK && type_of(plan) == CERTILE_STRING) move_to(room, out, plan->count);
  return status;
}
const Mutant characters_on_the_stack = {.run = run_on_the_stack};

static void read_words(certile_string* text) {
  const volatile char* const bytes = text->bytes;
  for (uint64_t at = 0; at < (text->size + 7) / 8 * 8; ++at)
    (void)bytes[at];
}
static int32_t run_reading_words(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_edit(plan, out, status, read_words);
}
const Mutant strings_read_in_words = {.run = run_reading_words};

/* Takes strings of one length with the same ends for one. */
static int32_t run_interning_by_ends(Plan* plan, certile_tensor* out, int32_t status) {
  enum { END = 3 };
  status = right_run(plan, out, status);
  if (status != CERTILE_OK || type_of(plan) != CERTILE_STRING) return status;
  certile_string* const texts = out->data;
  for (int64_t index = 1; index < plan->count; ++index) {
    const certile_string* const before = &texts[index - 1];
    const uint64_t size = texts[index].size;
    if (before->size == size && size >= 2 * END && memcmp(before->bytes, texts[index].bytes, END) == 0 &&
        memcmp(before->bytes + size - END, texts[index].bytes + size - END, END) == 0)
      texts[index].bytes = before->bytes;
  }
  return status;
}
const Mutant strings_known_by_their_ends = {.run = run_interning_by_ends};

static void cut_to_chunk(certile_string* text) {
  if (text->size > 128 * KIB) text->size = 128 * KIB;
}
static int32_t run_cutting_to_chunk(Plan* plan, certile_tensor* out, int32_t status) {
  return run_and_edit(plan, out, status, cut_to_chunk);
}
const Mutant strings_cut_to_128_kib = {.run = run_cutting_to_chunk};

/* Copies strings that have few characters, and counts them in 16 bits. */
static int are_many_in_a_mebibyte(const Plan* plan) {
  const certile_string* const all = plan->call->data->data;
  uint64_t characters = 0;
  if (type_of(plan) != CERTILE_STRING || plan->in_count <= 65536) return 0;
  for (int64_t index = 0; index < plan->in_count; ++index)
    characters += all[index].size;
  return characters <= MIB;
}
WRONG_WHERE(short_strings_counted_in_16_bits, last_from_first, are_many_in_a_mebibyte(plan))
