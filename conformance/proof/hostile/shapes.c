/* Invalid answers: from infer, from run, and in the host's own structs. */
#include "hostile.h"

#include <stdio.h>
#include <string.h>

/* Returns a shape of that rank, with equal dimensions. */
static int32_t give(const Asked* asked, int32_t rank, int64_t dimension) {
  for (int32_t axis = 0; axis < rank && axis < asked->capacity; ++axis)
    asked->shape[axis] = dimension;
  *asked->rank = rank;
  return CERTILE_OK;
}

static int32_t rank_minus_one(const Asked* asked) {
  return give(asked, -1, 0);
}
const Hostile infers_rank_minus_one = {.infer = rank_minus_one};

static int32_t rank_beyond(const Asked* asked) {
  return give(asked, asked->capacity + 1, 1);
}
const Hostile infers_a_rank_beyond_capacity = {.infer = rank_beyond};

static int32_t greatest_rank(const Asked* asked) {
  return give(asked, INT32_MAX, 1);
}
const Hostile infers_the_greatest_rank = {.infer = greatest_rank};

static int32_t huge(const Asked* asked) {
  return give(asked, asked->capacity, INT64_MAX);
}
const Hostile infers_a_huge_shape = {.infer = huge};

static int32_t negative(const Asked* asked) {
  return give(asked, 2, INT64_MIN);
}
const Hostile infers_negative_dimensions = {.infer = negative};

static int32_t nothing(const Asked* asked) {
  (void)asked;
  return CERTILE_OK;
}
const Hostile infers_and_writes_nothing = {.infer = nothing};

static int32_t beyond(const Asked* asked) {
  asked->shape[asked->capacity] = 1;
  return GO_ON;
}
const Hostile infers_beyond_capacity = {.infer = beyond};

static int32_t far_beyond(const Asked* asked) {
  memset(asked->shape, 0, (size_t)1 << 26);
  return GO_ON;
}
const Hostile infers_far_beyond_capacity = {.infer = far_beyond};

static int32_t endless_why(const Asked* asked) {
  asked->why->utf8[asked->why->capacity] = 'x';
  return GO_ON;
}
const Hostile writes_beyond_why = {.run = endless_why};

static int32_t long_why(const Asked* asked) {
  memset(asked->why->utf8, 'x', (size_t)asked->why->capacity + 4096);
  return CERTILE_REJECTED;
}
const Hostile writes_far_beyond_why = {.run = long_why};

static int32_t unterminated_why(const Asked* asked) {
  memset(asked->why->utf8, '\xff', asked->why->capacity);
  return CERTILE_FAILED;
}
const Hostile ends_its_message_nowhere = {.run = unterminated_why};

static int32_t nasty_why(const Asked* asked) {
  snprintf(asked->why->utf8, asked->why->capacity, "\033[2J\033]0;x\007 \xff</td> \"quoted\"");
  return CERTILE_FAILED;
}
const Hostile has_a_nasty_message = {.run = nasty_why};

static int32_t no_why(const Asked* asked) {
  memset(asked->why, 0xff, sizeof *asked->why);
  return CERTILE_FAILED;
}
const Hostile overwrites_its_text = {.run = no_why};

/* The inputs' structs are const; casting that away leads to the host's copies. */
static void overwrite_call(const Asked* asked) {
  memset((void*)(uintptr_t)asked->call->data, 0xff, sizeof *asked->call->data);
  memset((void*)(uintptr_t)asked->call, 0xff, sizeof *asked->call);
}
const Hostile overwrites_its_call = {.after = overwrite_call};

static void overwrite_output(const Asked* asked) {
  memset(asked->out, 0xff, sizeof *asked->out);
}
const Hostile overwrites_its_output = {.after = overwrite_output};

static void alternate(const Asked* asked) {
  static int calls;
  if (++calls % 2 == 0) memset(asked->out->data, 0, (size_t)asked->out->byte_size);
}
const Hostile alternates = {.after = alternate};
