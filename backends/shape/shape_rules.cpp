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

constexpr Ruling another_shape{CERTILE_FAILED, "the output given does not have the inferred shape"};

Ruling reject(const char* why) noexcept {
  return {CERTILE_REJECTED, why};
}

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

// The axes of an output: a dimension of the data and a repeat each.  The shorter of the two gets leading
// ones.
struct Axes {
  explicit Axes(const certile_call& those) noexcept : call(those) {}
  const certile_call& call;
  std::size_t count = 0, before_data = 0, before_repeats = 0;  // axes, and leading ones
  std::optional<std::uint64_t> along;                          // the one axis that `tiles` repeats
  Integer tiles;
  bool too_large = false;  // the last repeat was larger than 2^63 - 1, which was returned

  std::int64_t dimension(std::size_t axis) const noexcept {
    return axis < before_data ? 1 : call.data->shape[axis - before_data];
  }
  std::int64_t repeat(std::size_t axis) noexcept {
    Integer value{false, 1};
    if (along) {
      if (axis == *along) value = tiles;  // ours [ONNX-T1-X1]
    } else if (axis >= before_repeats) {
      value = *read_integer(*call.repeats, axis - before_repeats);
    }
    too_large = !value.negative && value.magnitude > static_cast<std::uint64_t>(largest);
    if (value.negative) return -1;
    return too_large ? largest : static_cast<std::int64_t>(value.magnitude);
  }
};

// A use of the pass: it writes the shape.
struct WrittenShape {
  std::int64_t* shape;  // null: the refusals alone are asked for
  void take(std::size_t axis, std::int64_t size) noexcept {
    if (shape != nullptr) shape[axis] = size;
  }
  void fuse(std::int64_t, std::int64_t) noexcept {}
};

// A use of the pass: it compares the shape with the output's, and makes the plan.
struct PlannedOutput {
  const certile_tensor& out;
  Fusing fusing;
  bool is_another = false;  // the output has another shape

  void take(std::size_t axis, std::int64_t size) noexcept {
    is_another = is_another || out.shape[axis] != size;
  }
  void fuse(std::int64_t dimension, std::int64_t repeats) noexcept {
    fusing.add(static_cast<std::uint64_t>(dimension), static_cast<std::uint64_t>(repeats));
  }
};

// Applies the rules for axes, from the last one to the first, and counts the output's elements.
template <class Use>
Ruling rule_axes(Axes& axes, Negative negative, Use& use, std::int64_t& elements) noexcept {
  elements = 1;
  bool too_many = false;
  for (std::size_t axis = axes.count; axis-- > 0;) {
    const std::int64_t dimension = axes.dimension(axis);
    std::int64_t repeats = axes.repeat(axis);
    // ours [ONNX-T13-X3] [ONNX-T6-X3]: negative is refused; ours [OV-T1-X5]: it counts as 0.
    if (repeats < 0 && negative == Negative::REFUSED) return reject("a repeat is negative");
    repeats = std::max<std::int64_t>(repeats, 0);
    // [OV-T1-G2] [ONNX-T13-O2] [ONNX-T6-O2]
    // ours [OV-T1-X9] [ONNX-T13-X4] [ONNX-T6-X4]: one dimension too large is refused even next to a zero; a
    // dimension of zero stays zero however often it is repeated.
    std::int64_t size = 0;
    if (__builtin_mul_overflow(dimension, repeats, &size) || (axes.too_large && dimension != 0))
      return reject("a dimension would exceed 2^63 - 1");
    if (__builtin_mul_overflow(elements, size, &elements)) {
      too_many = true;
      elements = 1;  // none of the sizes so far is zero
    }
    use.take(axis, size);
    if (elements != 0 && !too_many) use.fuse(dimension, repeats);
  }
  // ours [OV-T1-X12] [ONNX-T13-X6] [ONNX-T6-X6]: Refuses too large a product, unless a zero makes it zero.
  return too_many && elements != 0 ? reject("the output would have more than 2^63 - 1 elements") : Ruling{};
}

// ours [ONNX-T1-X2]: Returns true for one element of the data's type or i64, whatever the rank.
bool is_single_number(const certile_tensor& operand, const certile_tensor& data) noexcept {
  const bool one = std::all_of(operand.shape, operand.shape + operand.rank,
                               [](std::int64_t dimension) { return dimension == 1; });
  return one && (operand.element_type == data.element_type || operand.element_type == CERTILE_I64);
}

// Finds the one axis that is repeated, and how often.
Ruling rule_along(const certile_call& call, Axes& axes) noexcept {
  if (call.axis == nullptr) return reject("there is no axis");
  if (!is_single_number(*call.repeats, *call.data))
    return reject("tiles is not one number of the data's type or i64");
  if (!is_single_number(*call.axis, *call.data))
    return reject("axis is not one number of the data's type or i64");

  // ours [ONNX-T1-X4]
  const std::optional<Integer> tiles = read_integer(*call.repeats, 0);
  const std::optional<Integer> along = read_integer(*call.axis, 0);
  if (!tiles || !along) return reject("tiles or axis is not a whole number");
  if (tiles->negative) return reject("tiles is negative");

  // ours [ONNX-T1-X3]: a negative axis counts from the back.
  const auto rank = static_cast<std::uint64_t>(call.data->rank);
  const std::uint64_t bound = along->negative ? rank : rank - 1;
  if (rank == 0 || along->magnitude > bound) return reject("the data has no such axis");
  axes.along = along->negative ? rank - along->magnitude : along->magnitude;
  axes.tiles = *tiles;
  return {};
}

// Applies the rules for types and ranks, and finds the axes.
Ruling find_axes(const certile_call& call, const Reading* reading, Axes& axes) noexcept {
  if (reading == nullptr) return {CERTILE_UNSUPPORTED, "a definition of a later header"};
  if (!has_type(reading->types, call.data->element_type))
    return reject("the definition does not have the type of the data");
  const auto rank = static_cast<std::size_t>(call.data->rank);
  axes.count = rank;
  if (reading->form == Form::ALONG) return rule_along(call, axes);

  if (!has_type(reading->repeats, call.repeats->element_type))
    return reject("the definition does not have the type of the repeats");
  // ours [OV-T1-X3], [ONNX-T13-I2] [ONNX-T6-I2]
  if (call.repeats->rank != 1) return reject("repeats is not one-dimensional");
  const auto length = static_cast<std::size_t>(call.repeats->shape[0]);
  // [ONNX-T13-I3] [ONNX-T6-I3], and [ONNX-T13-S3] [ONNX-T6-S3]: no broadcast.
  if (reading->form == Form::ALIGNED && length != rank)
    return reject("the length of repeats is not the rank of the data");
  // [OV-T1-R1] [OV-T1-R2] the shorter of the two gets leading ones; [OV-T1-O1] the longer is the rank.
  axes.count = std::max(rank, length);
  axes.before_data = axes.count - rank;
  axes.before_repeats = axes.count - length;
  return {};
}

}  // namespace

Ruling infer_shape(const certile_call& call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t& rank) noexcept {
  const Reading* const reading = reading_of(call.op);
  Axes axes(call);
  if (const Ruling found = find_axes(call, reading, axes); found.status != CERTILE_OK) return found;
  const bool has_room = axes.count <= static_cast<std::size_t>(capacity);
  WrittenShape use{has_room ? shape : nullptr};
  std::int64_t elements = 0;
  const Ruling ruling = rule_axes(axes, reading->negative, use, elements);
  if (ruling.status != CERTILE_OK) return ruling;
  if (!has_room) return {CERTILE_FAILED, "the output has more axes than the caller has room for"};
  rank = static_cast<std::int32_t>(axes.count);
  return {};
}

Ruling plan_any_call(const certile_call& call, const certile_tensor& out, TilePlan& plan) noexcept {
  const Reading* const reading = reading_of(call.op);
  Axes axes(call);
  if (const Ruling found = find_axes(call, reading, axes); found.status != CERTILE_OK) return found;
  std::int64_t elements = 0;
  if (axes.count != static_cast<std::size_t>(out.rank)) {
    WrittenShape use{nullptr};
    const Ruling ruling = rule_axes(axes, reading->negative, use, elements);
    return ruling.status != CERTILE_OK ? ruling : another_shape;
  }
  PlannedOutput use{out, Fusing(plan, call.data->element_bits)};
  const Ruling ruling = rule_axes(axes, reading->negative, use, elements);
  if (ruling.status != CERTILE_OK) return ruling;
  if (use.is_another) return another_shape;
  use.fusing.finish(static_cast<std::uint64_t>(elements) * call.data->element_bits);
  return {};
}

}  // namespace certile::backends
