#include "test_plugin.h"

#include <stdio.h>
#include <stdlib.h>

/* Does less than the example, as its environment names it: LIMIT is f32-rank-4, no-zero-repeats, or
 * wrong-f64, which is done wrongly.  OPERATORS, TYPES, REPEATS_TYPES, MAX_RANK and MAX_ELEMENTS are its
 * claim; without them it claims what the example does. */
static int is_limited_to(const char* limit) {
  const char* chosen = getenv("LIMIT");
  return chosen != NULL && strcmp(chosen, limit) == 0;
}

static int has_zero(const certile_tensor* repeats) {
  for (int64_t index = 0; index < repeats->shape[0]; ++index)
    if (((const int64_t*)repeats->data)[index] == 0) return 1;
  return 0;
}

INFER(limited) {
  const int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK) return status;
  const int is_beyond =
      (is_limited_to("f32-rank-4") && (call->data->element_type != CERTILE_F32 || call->data->rank > 4)) ||
      (is_limited_to("no-zero-repeats") && has_zero(call->repeats));
  if (!is_beyond) return CERTILE_OK;
  snprintf(why->utf8, why->capacity, "not done here");
  return CERTILE_UNSUPPORTED;
}

RUN(limited) {
  int64_t shape[64];
  int32_t rank = 0;
  int32_t status = infer_limited(self, call, shape, 64, &rank, why);
  if (status == CERTILE_OK) status = right.run(self, call, out, why);
  if (status == CERTILE_OK && is_limited_to("wrong-f64") && call->data->element_type == CERTILE_F64 &&
      out->byte_size > 0)
    *(char*)out->data ^= 1;
  return status;
}

static void claim(const char* name, const char** words) {
  const char* chosen = getenv(name);
  if (chosen != NULL) *words = chosen;
}

static void limit(const char* name, int64_t* value) {
  const char* chosen = getenv(name);
  if (chosen != NULL) *value = atoll(chosen);
}
static void open_limited(certile_plugin* plugin) {
  claim("OPERATORS", &plugin->operators);
  claim("TYPES", &plugin->types);
  claim("REPEATS_TYPES", &plugin->repeats_types);
  limit("MAX_RANK", &plugin->max_rank);
  limit("MAX_ELEMENTS", &plugin->max_elements);
}
const TestPlugin limited = {.infer = infer_limited, .run = run_limited, .open = open_limited};
