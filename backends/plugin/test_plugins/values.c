/* The plugins that change values, or what they do it to, in ways that an explanation has to name. */
#include <stdint.h>
#include <stdlib.h>

#include "test_plugin.h"

/* Copies i64 through i32. */
RUN(cuts_to_32_bits) {
  const int32_t status = right.run(self, call, out, why);
  int64_t* const elements = out->data;
  for (uint64_t at = 0; status == CERTILE_OK && out->element_type == CERTILE_I64 && at < out->byte_size / 8;
       ++at)
    elements[at] = (int32_t)elements[at];
  return status;
}
const TestPlugin cuts_to_32_bits = {.run = run_cuts_to_32_bits};

/* Clamps i64 to the range of i32. */
RUN(clamps_to_32_bits) {
  const int32_t status = right.run(self, call, out, why);
  int64_t* const elements = out->data;
  for (uint64_t at = 0; status == CERTILE_OK && out->element_type == CERTILE_I64 && at < out->byte_size / 8;
       ++at)
    elements[at] = elements[at] > INT32_MAX ? INT32_MAX : elements[at] < INT32_MIN ? INT32_MIN : elements[at];
  return status;
}
const TestPlugin clamps_to_32_bits = {.run = run_clamps_to_32_bits};

/* Writes the halves of elements of 16 bytes in the opposite order. */
RUN(swaps_halves) {
  const int32_t status = right.run(self, call, out, why);
  uint64_t* const halves = out->data;
  for (uint64_t at = 0; status == CERTILE_OK && out->element_bits == 128 && at < out->byte_size / 8;
       at += 2) {
    const uint64_t first = halves[at];
    halves[at] = halves[at + 1];
    halves[at + 1] = first;
  }
  return status;
}
const TestPlugin swaps_halves = {.run = run_swaps_halves};

/* Gives at most two characters of a string. */
RUN(cuts_strings) {
  const int32_t status = right.run(self, call, out, why);
  certile_string* const strings = out->data;
  for (uint64_t at = 0;
       status == CERTILE_OK && out->element_type == CERTILE_STRING && at < out->byte_size / sizeof *strings;
       ++at)
    if (strings[at].size > 2) strings[at].size = 2;
  return status;
}
const TestPlugin cuts_strings = {.run = run_cuts_strings};

/* Clears the last byte of the output. */
RUN(clears_last_byte) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && out->element_type != CERTILE_STRING)
    ((char*)out->data)[out->byte_size - 1] = 0;
  return status;
}
const TestPlugin clears_last_byte = {.run = run_clears_last_byte};

/* Is wrong where the output has 200,000 bytes and more. */
RUN(wrong_from_200000_bytes) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size >= 200000 && out->element_type != CERTILE_STRING)
    ((unsigned char*)out->data)[out->byte_size - 1] ^= 1;
  return status;
}
const TestPlugin wrong_from_200000_bytes = {.run = run_wrong_from_200000_bytes};
