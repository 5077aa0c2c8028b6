#include "backends/shape/shape_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>

#include "backends/shape/integers.hpp"

namespace certile::backends {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr const char* beyond_dimension = "a dimension would exceed 2^63 - 1";

RuledAxes reject(const char* why) noexcept {
  return {CERTILE_REJECTED, why, 0, 0};
}

// The axes of the output so far.
struct Axes {
  explicit Axes(Axis* room) noexcept : first(room) {}
  Axis* first;
  std::size_t count = 0;
};

enum class Form : std::uint8_t { ALIGNED, PROMOTED, ALONG };
enum class Negative : std::uint8_t { ZERO, REFUSED };

// A reading of a definition.
struct Reading {
  std::uint32_t number;
  std::uint32_t types, repeats;  // a bit for each element type
  Form form;
  Negative negative;
};

constexpr Reading readings[] = {
#define READING(number, name, types, repeats, form, negative) \
  {number, types, repeats, Form::form, Negative::negative},
#include "backends/shape/definitions.inc"
#undef READING
};

const Reading* reading_of(std::uint32_t number) noexcept {
  const std::uint32_t index = number - 1;
  return index < std::size(readings) ? &readings[index] : nullptr;
}

bool has_type(std::uint32_t types, std::uint32_t type) noexcept {
  return type < 32 && (types >> type & 1U) != 0;
}

// Adds one axis; returns false if its size exceeds 2^63 - 1.
// ours [OV-T1-X9] [ONNX-T13-X4] [ONNX-T6-X4]: one dimension too large is refused even next to a zero; a
// dimension of zero stays zero however often it is repeated.
inline bool add_axis(Axes& axes, std::int64_t dimension, std::uint64_t repeats) noexcept {
  if (dimension == 0) repeats = std::min<std::uint64_t>(repeats, largest);
  if (repeats > static_cast<std::uint64_t>(largest)) return false;
  const auto times = static_cast<std::int64_t>(repeats);
  std::int64_t output = 0;
  if (__builtin_mul_overflow(dimension, times, &output)) return false;
  axes.first[axes.count++] = {dimension, times, output};
  return true;
}

// ours [OV-T1-X12] [ONNX-T13-X6] [ONNX-T6-X6]: Refuses too large a product, unless a zero makes it zero.
inline RuledAxes finish(const Axes& axes) noexcept {
  std::int64_t elements = 1;
  for (const Axis* axis = axes.first; axis < axes.first + axes.count; ++axis) {
    if (!__builtin_mul_overflow(elements, axis->output, &elements)) continue;
    const bool is_empty =
        std::any_of(axes.first, axes.first + axes.count, [](const Axis& each) { return each.output == 0; });
    if (is_empty) return {CERTILE_OK, "", axes.count, 0};
    return reject("the output would have more than 2^63 - 1 elements");
  }
  return {CERTILE_OK, "", axes.count, elements};
}

// Returns an element of repeats.
Integer repeat_at(const certile_tensor& repeats, std::size_t index) noexcept {
  if (repeats.element_type != CERTILE_I64) return *read_integer(repeats, index);
  std::int64_t value = 0;  // nearly every call has i64, and need not check the type again
  std::memcpy(&value, static_cast<const char*>(repeats.data) + index * sizeof value, sizeof value);
  const auto bits = static_cast<std::uint64_t>(value);
  return {value < 0, value < 0 ? ~bits + 1 : bits};
}

// Applies one repeat to each axis.
RuledAxes repeat_every_axis(const certile_call& call, const Reading& reading, Axis* room) noexcept {
  const bool promotes = reading.form == Form::PROMOTED;
  Axes axes(room);
  const certile_tensor& data = *call.data;
  const certile_tensor& repeats = *call.repeats;
  // ours [OV-T1-X3], [ONNX-T13-I2] [ONNX-T6-I2]
  if (repeats.rank != 1) return reject("repeats is not one-dimensional");
  const auto rank = static_cast<std::size_t>(data.rank);
  const auto length = static_cast<std::size_t>(repeats.shape[0]);
  // [ONNX-T13-I3] [ONNX-T6-I3], and [ONNX-T13-S3] [ONNX-T6-S3]: no broadcast.
  if (!promotes && length != rank) return reject("the length of repeats is not the rank of the data");

  // [OV-T1-R1] [OV-T1-R2] the shorter of the two gets leading ones; [OV-T1-O1] the longer is the rank.
  const std::size_t output_rank = std::max(rank, length);
  const std::size_t before_data = output_rank - rank;
  const std::size_t before_repeats = output_rank - length;
  for (std::size_t index = 0; index < output_rank; ++index) {
    const std::int64_t dimension = index < before_data ? 1 : data.shape[index - before_data];
    Integer times{false, 1};
    if (index >= before_repeats) times = repeat_at(repeats, index - before_repeats);
    // ours [ONNX-T13-X3] [ONNX-T6-X3]: negative is refused; ours [OV-T1-X5]: it counts as 0.
    if (times.negative && reading.negative == Negative::REFUSED) return reject("a repeat is negative");
    if (times.negative) times.magnitude = 0;
    // [OV-T1-G2] [ONNX-T13-O2] [ONNX-T6-O2]
    if (!add_axis(axes, dimension, times.magnitude)) return reject(beyond_dimension);
  }
  return finish(axes);
}

// ours [ONNX-T1-X2]: Returns true for one element of the data's type or i64, whatever the rank.
bool is_single_number(const certile_tensor& operand, const certile_tensor& data) noexcept {
  const bool one = std::all_of(operand.shape, operand.shape + operand.rank,
                               [](std::int64_t dimension) { return dimension == 1; });
  return one && (operand.element_type == data.element_type || operand.element_type == CERTILE_I64);
}

// Applies one repeat to one axis.
RuledAxes repeat_one_axis(const certile_call& call, Axis* room) noexcept {
  Axes axes(room);
  const certile_tensor& data = *call.data;
  if (call.axis == nullptr) return reject("there is no axis");
  if (!is_single_number(*call.repeats, data))
    return reject("tiles is not one number of the data's type or i64");
  if (!is_single_number(*call.axis, data)) return reject("axis is not one number of the data's type or i64");

  // ours [ONNX-T1-X4]
  const std::optional<Integer> tiles = read_integer(*call.repeats, 0);
  const std::optional<Integer> along = read_integer(*call.axis, 0);
  if (!tiles || !along) return reject("tiles or axis is not a whole number");
  if (tiles->negative) return reject("tiles is negative");

  // ours [ONNX-T1-X3]: a negative axis counts from the back.
  const auto rank = static_cast<std::uint64_t>(data.rank);
  const std::uint64_t bound = along->negative ? rank : rank - 1;
  if (rank == 0 || along->magnitude > bound) return reject("the data has no such axis");
  const std::uint64_t position = along->negative ? rank - along->magnitude : along->magnitude;

  for (std::uint64_t index = 0; index < rank; ++index)
    if (!add_axis(axes, data.shape[index], index == position ? tiles->magnitude : 1))  // ours [ONNX-T1-X1]
      return reject(beyond_dimension);
  return finish(axes);
}

}  // namespace

std::size_t most_axes(const certile_call& call) noexcept {
  const auto rank = static_cast<std::size_t>(call.data->rank);
  const Reading* reading = reading_of(call.op);
  if (reading == nullptr || reading->form != Form::PROMOTED || call.repeats->rank != 1) return rank;
  return std::max(rank, static_cast<std::size_t>(call.repeats->shape[0]));
}

RuledAxes apply_shape_rules(const certile_call& call, Axis* axes) noexcept {
  const Reading* reading = reading_of(call.op);
  if (reading == nullptr) return {CERTILE_UNSUPPORTED, "a definition of a later header", 0, 0};
  if (!has_type(reading->types, call.data->element_type))
    return reject("the definition does not have the type of the data");
  if (reading->form == Form::ALONG) return repeat_one_axis(call, axes);
  if (!has_type(reading->repeats, call.repeats->element_type))
    return reject("the definition does not have the type of the repeats");
  return repeat_every_axis(call, *reading, axes);
}

}  // namespace certile::backends
