#include "reference/second/tile_by_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/values/oracle_calls.hpp"

// Nothing here is taken from promote.cpp or tile.cpp: where both are wrong in the same way, they must be so
// twice.

namespace certile {
namespace {

__extension__ typedef __int128 Wide;
constexpr Wide limit = std::numeric_limits<std::int64_t>::max();

struct Axis {
  std::int64_t dimension = 1;
  Wide repeat = 1;
};

Error refusal() {
  return {Error::Code::rejected, "refused"};
}

// The value of an integer or boolean element: the pattern, less 2^bits where its top bit is a sign.
Wide integer(const Tensor& tensor, std::int64_t index) {
  const Wide pattern = tensor.element(index).low;
  const int width = bits(tensor.type());
  const bool negative = is_signed_integer(tensor.type()) && ((pattern >> (width - 1)) & 1) != 0;
  return negative ? pattern - (Wide{1} << width) : pattern;
}

// The value of an f16, f32 or f64 where it is a whole number; from 2^63 on, which nothing can be as large as,
// 2^63.
std::optional<Wide> whole(const Tensor& tensor) {
  const int fraction_bits = tensor.type() == ElementType::f16   ? 10
                            : tensor.type() == ElementType::f32 ? 23
                                                                : 52;
  const int width = bits(tensor.type());
  const std::uint64_t pattern = tensor.element(0).low;
  const bool negative = ((pattern >> (width - 1)) & 1) != 0;
  const int exponent_bits = width - 1 - fraction_bits;
  const auto all_ones = (1 << exponent_bits) - 1;
  const auto exponent = static_cast<int>((pattern >> fraction_bits) & static_cast<std::uint64_t>(all_ones));
  const std::uint64_t fraction = pattern & ((std::uint64_t{1} << fraction_bits) - 1);
  if (exponent == all_ones) return std::nullopt;
  if (exponent == 0) return fraction == 0 ? std::optional<Wide>(0) : std::nullopt;
  const int shift = exponent - (all_ones >> 1) - fraction_bits;  // value = significand * 2^shift
  const Wide significand = static_cast<Wide>(fraction | (std::uint64_t{1} << fraction_bits));
  if (shift < -fraction_bits) return std::nullopt;
  if (shift < 0 && (significand & ((Wide{1} << -shift) - 1)) != 0) return std::nullopt;
  const bool too_large = shift + fraction_bits >= 63;
  const Wide value = too_large ? Wide{1} << 63 : shift < 0 ? significand >> -shift : significand << shift;
  return negative ? -value : value;
}

bool is_vector(const Tensor& tensor) {
  return tensor.shape().size() == 1;
}

std::optional<std::vector<Axis>> openvino_axes(const CallTensors& tensors) {
  // Whether booleans are integers is left open; a false repeats no copy and a true one.
  const ElementType counts = tensors.repeats.type();
  if (!is_integer(counts) && counts != ElementType::boolean) return std::nullopt;
  if (!is_vector(tensors.repeats)) return std::nullopt;
  // Right-aligned: axis 0 of `backwards` is the last one.
  const std::size_t given = static_cast<std::size_t>(tensors.repeats.count());
  const Shape& shape = tensors.data.shape();
  std::vector<Axis> backwards(std::max(given, shape.size()));
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    backwards[axis].dimension = shape[shape.size() - 1 - axis];
  for (std::size_t axis = 0; axis < given; ++axis)
    backwards[axis].repeat =
        std::max<Wide>(0, integer(tensors.repeats, static_cast<std::int64_t>(given - 1 - axis)));
  return std::vector<Axis>(backwards.rbegin(), backwards.rend());
}

std::optional<std::vector<Axis>> onnx_axes(const CallTensors& tensors) {
  using enum ElementType;
  std::vector<ElementType> listed{boolean, i8,  i16, i32, i64, u8,   u16,   u32,
                                  u64,     f16, f32, f64, c64, c128, string};
  if (tensors.op == Operator::onnx_tile_13) listed.push_back(bf16);
  if (std::find(listed.begin(), listed.end(), tensors.data.type()) == listed.end()) return std::nullopt;
  if (tensors.repeats.type() != i64 || !is_vector(tensors.repeats)) return std::nullopt;
  const Shape& shape = tensors.data.shape();
  if (tensors.repeats.count() != static_cast<std::int64_t>(shape.size())) return std::nullopt;
  std::vector<Axis> axes;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    axes.push_back({shape[axis], integer(tensors.repeats, static_cast<std::int64_t>(axis))});
    if (axes.back().repeat < 0) return std::nullopt;
  }
  return axes;
}

std::optional<Wide> onnx_1_number(const Tensor& tensor, ElementType data_type) {
  if (tensor.count() != 1) return std::nullopt;
  if (tensor.type() == ElementType::i64) return integer(tensor, 0);
  return tensor.type() == data_type ? whole(tensor) : std::nullopt;
}

std::optional<std::vector<Axis>> onnx_1_axes(const CallTensors& tensors) {
  using enum ElementType;
  const ElementType type = tensors.data.type();
  if (type != f16 && type != f32 && type != f64) return std::nullopt;
  const auto tiles = onnx_1_number(tensors.repeats, type);
  const auto axis = onnx_1_number(*tensors.axis, type);
  if (!tiles || !axis || *tiles < 0) return std::nullopt;
  std::vector<Axis> axes;
  for (const std::int64_t dimension : tensors.data.shape())
    axes.push_back({dimension, 1});
  const Wide rank = static_cast<Wide>(axes.size());
  if (*axis < -rank || *axis >= rank) return std::nullopt;
  axes[static_cast<std::size_t>((*axis + rank) % rank)].repeat = *tiles;
  return axes;
}

std::optional<std::vector<Axis>> axes_of(const CallTensors& tensors) {
  if (tensors.op == Operator::openvino_tile_1) return openvino_axes(tensors);
  if (tensors.op == Operator::onnx_tile_1) return onnx_1_axes(tensors);
  return onnx_axes(tensors);
}

// Dimension by dimension, then all together, in numbers that cannot overflow.
std::optional<Shape> product(const std::vector<Axis>& axes) {
  Shape shape;
  for (const Axis& axis : axes) {
    const Wide dimension = axis.repeat * axis.dimension;
    if (dimension > limit) return std::nullopt;
    shape.push_back(static_cast<std::int64_t>(dimension));
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return shape;
  Wide elements = 1;
  for (const std::int64_t dimension : shape) {
    elements *= dimension;
    if (elements > limit) return std::nullopt;
  }
  return shape;
}

// One whole number of bytes per element: packed elements are spread out first and drawn together at the end.
struct Elements {
  std::size_t width;
  std::vector<std::byte> bytes;
};

Elements spread(const Tensor& tensor) {
  if (!is_packed(tensor.type()))
    return {static_cast<std::size_t>(bits(tensor.type())) / 8,
            {tensor.bytes().begin(), tensor.bytes().end()}};
  Elements elements{1, {}};
  for (std::int64_t index = 0; index < tensor.count(); ++index)
    elements.bytes.push_back(static_cast<std::byte>(tensor.element(index).low));
  return elements;
}

// Repeats every run of `block` bytes `repeat` times on the spot.
std::vector<std::byte> repeat_blocks(const std::vector<std::byte>& bytes, std::size_t block,
                                     std::size_t repeat) {
  std::vector<std::byte> result;
  result.reserve(bytes.size() * repeat);
  for (std::size_t start = 0; start < bytes.size(); start += block)
    for (std::size_t copy = 0; copy < repeat; ++copy)
      result.insert(result.end(), bytes.begin() + static_cast<std::ptrdiff_t>(start),
                    bytes.begin() + static_cast<std::ptrdiff_t>(start + block));
  return result;
}

Tensor construct(const Tensor& data, const std::vector<Axis>& axes, Shape shape) {
  Tensor output = Tensor::for_output_of(data, std::move(shape));
  if (output.count() == 0) return output;
  Elements elements = spread(data);
  std::size_t block = elements.width;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    block *= static_cast<std::size_t>(axis->dimension);
    const auto repeat = static_cast<std::size_t>(axis->repeat);
    if (repeat != 1) elements.bytes = repeat_blocks(elements.bytes, block, repeat);
    block *= repeat;
  }
  if (!is_packed(data.type())) {
    std::memcpy(output.bytes().data(), elements.bytes.data(), elements.bytes.size());
    return output;
  }
  for (std::int64_t index = 0; index < output.count(); ++index)
    output.set_element(index,
                       {std::to_integer<std::uint64_t>(elements.bytes[static_cast<std::size_t>(index)]), 0});
  return output;
}

}  // namespace

Result<Shape> shape_by_copies(const CallTensors& tensors) {
  count_oracle_call();
  const auto axes = axes_of(tensors);
  if (!axes) return refusal();
  auto shape = product(*axes);
  if (!shape) return refusal();
  return *std::move(shape);
}

Result<Tensor> tile_by_copies(const CallTensors& tensors) {
  count_oracle_call();
  const auto axes = axes_of(tensors);
  if (!axes) return refusal();
  auto shape = product(*axes);
  if (!shape) return refusal();
  const Error too_large{Error::Code::out_of_memory, "the output is too large for this machine's memory"};
  if (!byte_size(tensors.data.type(), element_count(*shape).value())) return too_large;
  try {
    return construct(tensors.data, *axes, *std::move(shape));
  } catch (const std::bad_alloc&) {
    return too_large;
  } catch (const std::length_error&) {
    return too_large;
  }
}

}  // namespace certile
