/* A whole implementation behind the C header, of onnx-tile-13 and of nothing else.
   cc -std=c99 -O2 -shared -fPIC -o libexample.so example.c && certile certify ./libexample.so */
#include "certile_plugin.h"

#include <stdio.h>
#include <string.h>

enum { MOST_AXES = 64 };

static int32_t say(certile_text* why, int32_t status, const char* text) {
  snprintf(why->utf8, why->capacity, "%s", text);
  return status;
}

static int is_listed(uint32_t type) { /* one of the 16 types that the text lists */
  return type == CERTILE_BOOLEAN || (type >= CERTILE_I8 && type <= CERTILE_I64) ||
         (type >= CERTILE_U8 && type <= CERTILE_F64) || (type >= CERTILE_C64 && type <= CERTILE_STRING);
}

static int32_t infer(void* self, const certile_call* call, int64_t* shape, int32_t capacity, int32_t* rank,
                     certile_text* why) {
  const certile_tensor *data = call->data, *repeats = call->repeats;
  const int64_t* times = repeats->data;
  int64_t count = 1;
  (void)self;
  if (call->op != CERTILE_ONNX_TILE_13)
    return say(why, CERTILE_UNSUPPORTED, "only onnx-tile-13 is implemented");
  if (!is_listed(data->element_type))
    return say(why, CERTILE_REJECTED, "the operator does not list this type");
  if (repeats->element_type != CERTILE_I64) return say(why, CERTILE_REJECTED, "repeats must be i64");
  if (repeats->rank != 1) return say(why, CERTILE_REJECTED, "repeats must be 1-D");
  if (repeats->shape[0] != data->rank)
    return say(why, CERTILE_REJECTED, "repeats must have one number per axis");
  if (data->rank > capacity || data->rank > MOST_AXES) return say(why, CERTILE_UNSUPPORTED, "too many axes");
  for (int32_t axis = 0; axis < data->rank; ++axis) {
    if (times[axis] < 0) return say(why, CERTILE_REJECTED, "a repeat is negative");
    if (data->shape[axis] > 0 && times[axis] > INT64_MAX / data->shape[axis])
      return say(why, CERTILE_REJECTED, "a dimension is too large");
    shape[axis] = data->shape[axis] * times[axis];
    if (shape[axis] == 0) count = 0;
  }
  for (int32_t axis = 0; axis < data->rank && count > 0; ++axis) {
    if (count > INT64_MAX / shape[axis]) return say(why, CERTILE_REJECTED, "there are too many elements");
    count *= shape[axis];
  }
  *rank = data->rank;
  return CERTILE_OK;
}

/* Writes one block of `axis` to `to`, reading from `*from`; returns the end of the block. */
static char* tile(const certile_call* call, int32_t axis, const char** from, char* to) {
  const size_t element = call->data->element_bits / 8; /* a string is moved as its 16-byte view */
  char* const begin = to;
  if (axis == call->data->rank) {
    memcpy(to, *from, element);
    *from += element;
    return to + element;
  }
  for (int64_t index = 0; index < call->data->shape[axis]; ++index)
    to = tile(call, axis + 1, from, to);
  const size_t block = (size_t)(to - begin);
  for (int64_t copy = 1; copy < ((const int64_t*)call->repeats->data)[axis]; ++copy, to += block)
    memcpy(to, begin, block);
  return to;
}

static int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  const char* from = call->data->data;
  int64_t shape[MOST_AXES];
  int32_t rank = 0;
  const int32_t status = infer(self, call, shape, MOST_AXES, &rank, why);
  if (status == CERTILE_OK && out->byte_size > 0) tile(call, 0, &from, out->data);
  return status;
}

static void destroy(void* self) {
  (void)self;
}

int32_t certile_plugin_open(uint32_t host_major, uint32_t host_minor, certile_plugin* plugin) {
  (void)host_minor;
  if (host_major != CERTILE_ABI_MAJOR) return CERTILE_UNSUPPORTED;
  plugin->struct_size = sizeof *plugin; /* this file fills no more, whatever the host offers */
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = "example";
  plugin->version = "1";
  plugin->operators = "onnx-tile-13";
  plugin->types = "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128 string";
  plugin->repeats_types = "i64";
  plugin->max_rank = MOST_AXES;
  plugin->infer = infer;
  plugin->run = run;
  plugin->destroy = destroy;
  return CERTILE_OK;
}
