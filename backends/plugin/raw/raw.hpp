#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "certile_plugin.h"

// The parts that the two raw plugins share: the shapes, as their author reads the operators, and the table.
// Tiling is left to the library under test, which receives zeroes, empty data and rank 0 unchanged.
namespace raw {

constexpr int most_axes = 5;

struct Shapes {
  std::vector<std::int64_t> dimensions, repeats;  // of one length, after promotion
};

inline std::int32_t say(certile_text* why, std::int32_t status, const char* text) {
  std::snprintf(why->utf8, why->capacity, "%s", text);
  return status;
}

inline bool is_listed_by_onnx(std::uint32_t type) {
  return type == CERTILE_BOOLEAN || (type >= CERTILE_I8 && type <= CERTILE_I64) ||
         (type >= CERTILE_U8 && type <= CERTILE_F64) || type == CERTILE_C64 || type == CERTILE_C128;
}

// Fills `shapes`, or says in `why` what prevents it.
inline std::int32_t read_shapes(const certile_call& call, Shapes& shapes, certile_text* why) {
  const certile_tensor& data = *call.data;
  const certile_tensor& repeats = *call.repeats;
  const bool promotes = call.op == CERTILE_OPENVINO_TILE_1;
  if (!promotes && call.op != CERTILE_ONNX_TILE_13) return say(why, CERTILE_UNSUPPORTED, "not this operator");
  if (!promotes && !is_listed_by_onnx(data.element_type))
    return say(why, CERTILE_REJECTED, "not a type of the operator");
  if (data.element_bits % 8 != 0 || data.element_type == CERTILE_STRING)
    return say(why, CERTILE_UNSUPPORTED, "not a type of the library");
  if (repeats.element_type != CERTILE_I64)
    return say(why, promotes ? CERTILE_UNSUPPORTED : CERTILE_REJECTED, "repeats must be i64");
  if (repeats.rank != 1) return say(why, CERTILE_REJECTED, "repeats must be 1-D");
  const std::int64_t length = repeats.shape[0];
  if (!promotes && length != data.rank)
    return say(why, CERTILE_REJECTED, "repeats must have one number per axis");

  const auto* times = static_cast<const std::int64_t*>(repeats.data);
  shapes.dimensions.assign(data.shape, data.shape + data.rank);
  shapes.repeats.assign(times, times + length);
  while (shapes.dimensions.size() < shapes.repeats.size())
    shapes.dimensions.insert(shapes.dimensions.begin(), 1);
  while (shapes.repeats.size() < shapes.dimensions.size())
    shapes.repeats.insert(shapes.repeats.begin(), 1);
  for (std::int64_t& each : shapes.repeats) {
    if (each < 0 && !promotes) return say(why, CERTILE_REJECTED, "a repeat is negative");
    if (each < 0) each = 0;
  }
  return CERTILE_OK;
}

// Returns false if left * right exceeds 2^63 - 1; both are at least 0.
inline bool multiply(std::int64_t left, std::int64_t right, std::int64_t& product) {
  if (left > 0 && right > std::numeric_limits<std::int64_t>::max() / left) return false;
  product = left * right;
  return true;
}

inline std::int32_t infer(void*, const certile_call* call, std::int64_t* shape, std::int32_t,
                          std::int32_t* rank, certile_text* why) {
  Shapes shapes;
  const std::int32_t status = read_shapes(*call, shapes, why);
  if (status != CERTILE_OK) return status;
  std::vector<std::int64_t> output(shapes.repeats.size());
  bool empty = false;
  for (std::size_t axis = 0; axis < output.size(); ++axis) {
    if (!multiply(shapes.dimensions[axis], shapes.repeats[axis], output[axis]))
      return say(why, CERTILE_REJECTED, "a dimension is too large");
    if (output[axis] == 0) empty = true;
  }
  std::int64_t count = 1;
  for (const std::int64_t each : output)
    if (!empty && !multiply(count, each, count))
      return say(why, CERTILE_REJECTED, "there are too many elements");
  if (output.size() > most_axes) return say(why, CERTILE_UNSUPPORTED, "more than 5 axes");
  for (std::size_t axis = 0; axis < output.size(); ++axis)
    shape[axis] = output[axis];
  *rank = static_cast<std::int32_t>(output.size());
  return CERTILE_OK;
}

inline void destroy(void*) {}

inline void fill(certile_plugin* plugin, const char* name, const std::vector<int>& version) {
  static std::string version_text;
  version_text.clear();
  for (const int number : version)
    version_text += (version_text.empty() ? "" : ".") + std::to_string(number);
  plugin->struct_size = sizeof *plugin;
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = name;
  plugin->version = version_text.c_str();
  plugin->operators = "openvino-tile-1 onnx-tile-13";
  plugin->types = "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2 f8e8m0 c64 c128";
  plugin->repeats_types = "i64";
  plugin->max_rank = most_axes;
  plugin->infer = infer;
  plugin->destroy = destroy;
}

}  // namespace raw
