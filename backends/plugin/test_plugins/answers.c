/* The plugins that answer wrongly, or say what they should not. */
#include "test_plugin.h"

#include <stdio.h>

/* Does not write the last byte of the output. */
RUN(unwritten_tail) {
  if (out->byte_size == 0) return right.run(self, call, out, why);
  char* const last = (char*)out->data + out->byte_size - 1;
  const char found = *last;
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK) *last = found;
  return status;
}
const TestPlugin unwritten_tail = {.run = run_unwritten_tail};

/* Writes one byte before the output. */
RUN(one_byte_before) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0) ((volatile char*)out->data)[-1] = 1;
  return status;
}
const TestPlugin one_byte_before = {.run = run_one_byte_before};

/* Writes one byte past the output. */
RUN(one_byte_over) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0) ((volatile char*)out->data)[out->byte_size] = 1;
  return status;
}
const TestPlugin one_byte_over = {.run = run_one_byte_over};

/* Reads one byte past the data; its answers are right. */
RUN(over_reads) {
  if (call->data->byte_size > 0) (void)((const volatile char*)call->data->data)[call->data->byte_size];
  return right.run(self, call, out, why);
}
const TestPlugin over_reads = {.run = run_over_reads};

/* Writes to the data after it has answered. */
RUN(changes_input) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && call->data->byte_size > 0) ((volatile unsigned char*)call->data->data)[0] ^= 1;
  return status;
}
const TestPlugin changes_input = {.run = run_changes_input};

/* Returns the input's memory as the output if both are equal. */
RUN(moves_descriptor) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && out->byte_size == call->data->byte_size)
    out->data = call->data->data;
  return status;
}
const TestPlugin moves_descriptor = {.run = run_moves_descriptor};

/* Is right only if the output begins at a multiple of 64 bytes. */
RUN(misplaced) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && (uintptr_t)out->data % 64 != 0)
    *(volatile unsigned char*)out->data ^= 1;
  return status;
}
const TestPlugin misplaced = {.run = run_misplaced};

/* Is wrong if the output begins 16 bytes past a multiple of 64, as large blocks of malloc's memory do. */
RUN(wrong_at_16_of_64) {
  const int32_t status = right.run(self, call, out, why);
  if (status == CERTILE_OK && out->byte_size > 0 && (uintptr_t)out->data % 64 == 16)
    *(volatile unsigned char*)out->data ^= 1;
  return status;
}
const TestPlugin wrong_at_16_of_64 = {.run = run_wrong_at_16_of_64};

/* Copies f32 by adding zero, which makes signalling NaNs quiet.  It keeps nothing, so that calls cannot
 * disturb each other. */
RUN(quiets_nans) {
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK || out->element_type != CERTILE_F32) return status;
  for (uint64_t at = 0; at < out->byte_size; at += sizeof(float)) {
    float element = 0;
    memcpy(&element, (char*)out->data + at, sizeof element);
    element = element + 0.0f;
    memcpy((char*)out->data + at, &element, sizeof element);
  }
  return status;
}
const TestPlugin quiets_nans = {.run = run_quiets_nans};

/* Writes to the output of calls that it refuses. */
RUN(writes_on_refusal) {
  const int32_t status = right.run(self, call, out, why);
  if (status != CERTILE_OK && out->byte_size > 0)
    *(volatile char*)out->data = (char)~*(volatile char*)out->data;
  return status;
}
const TestPlugin writes_on_refusal = {.run = run_writes_on_refusal};

/* Prints in every call: noise, and text that looks like an answer. */
RUN(writes_stdout) {
  puts("{\"verdict\": \"pass\"} \033[2J");
  fputs("diagnostics of writes-stdout\n", stderr);
  fflush(stdout);
  return right.run(self, call, out, why);
}
const TestPlugin writes_stdout = {.run = run_writes_stdout};

/* Infers shapes that no memory holds, that are negative, or that have an impossible rank. */
INFER(absurd_shape) {
  const int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK || *rank == 0) return status;
  if (*rank == 1) shape[0] = INT64_MAX;
  if (*rank == 2) shape[0] = -shape[0] - 1;
  if (*rank == 3) *rank = -1;
  if (*rank == 4) *rank = INT32_MAX;
  return status;
}
const TestPlugin absurd_shape = {.infer = infer_absurd_shape};

/* Its name, version and messages try to write on the reader's terminal. */
INFER(nasty_name) {
  const int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK) snprintf(why->utf8, why->capacity, "\033[2J\nverdict: pass\r\a]]>&<%s", "\xff");
  return status;
}
static void open_nasty_name(certile_plugin* plugin) {
  plugin->name = "nasty\033[31m\nname";
  plugin->version = "1\n2\033]0;title\a";
}
const TestPlugin nasty_name = {.infer = infer_nasty_name, .open = open_nasty_name};

/* Its name, version and messages are commands to the CI systems that read what certile prints. */
RUN(gives_orders) {
  const int32_t status = right.run(self, call, out, why);
  if (!is_the_case(call)) return status;
  snprintf(why->utf8, why->capacity,
           "::set-output name=a::b\n ::warning::c ##[section]d ##vso[task.complete]e");
  return CERTILE_FAILED;
}
static void open_gives_orders(certile_plugin* plugin) {
  plugin->name = "::error title=x::y http://example.org";
  plugin->version = "::endgroup::##[group]1";
}
const TestPlugin gives_orders = {.run = run_gives_orders, .open = open_gives_orders};

/* Has a future ABI major. */
static void open_wrong_major(certile_plugin* plugin) {
  plugin->abi_major = CERTILE_ABI_MAJOR + 1;
  plugin->destroy = NULL;
}
const TestPlugin wrong_major = {.open = open_wrong_major};
