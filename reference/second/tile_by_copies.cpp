#include "reference/second/tile_by_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/second/reading.hpp"
#include "reference/values/oracle_calls.hpp"
#include "reference/values/tensor.hpp"

namespace certile::second {
namespace {

using second::Axis, second::Reading, second::Wide;
constexpr Wide limit = std::numeric_limits<std::int64_t>::max();

Error refusal() {
  return {Error::Code::rejected, "refused"};
}

// Multiplies dimensions by repeats, in numbers that cannot overflow.  Returns nothing if a dimension or the
// number of elements is too large.
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

// The elements of a tensor, each in a whole number of bytes: packed elements are unpacked first and packed
// again at the end.
struct Elements {
  std::size_t width;
  std::vector<std::byte> bytes;
};

Elements spread(const Tensor& tensor) {
  if (!is_packed(tensor.type()))
    return {static_cast<std::size_t>(bits(tensor.type())) / 8,
            {tensor.bytes().begin(), tensor.bytes().end()}};
  Elements elements{1, std::vector<std::byte>(static_cast<std::size_t>(tensor.count()))};
  unpack_elements(tensor.type(), tensor.bytes(), elements.bytes);
  return elements;
}

// Writes each block of `block` bytes `repeat` times in a row.
std::vector<std::byte> repeat_blocks(const std::vector<std::byte>& bytes, std::size_t block,
                                     std::size_t repeat) {
  std::vector<std::byte> result(bytes.size() * repeat);
  std::byte* next = result.data();
  for (const std::byte* from = bytes.data(); from != bytes.data() + bytes.size(); from += block)
    if (block == 1)  // a call for each byte would take most of the time
      next = std::fill_n(next, repeat, *from);
    else
      for (std::size_t copy = 0; copy < repeat; ++copy)
        next = std::copy_n(from, block, next);
  return result;
}

Tensor construct(const Tensor& data, const std::vector<Axis>& axes, Shape shape) {
  if (element_count(shape).value() == 0) return Tensor::for_output_of(data, std::move(shape));
  Elements elements = spread(data);
  std::size_t block = elements.width;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    block *= static_cast<std::size_t>(axis->dimension);
    const auto repeat = static_cast<std::size_t>(axis->repeat);
    if (repeat != 1) elements.bytes = repeat_blocks(elements.bytes, block, repeat);
    block *= repeat;
  }
  if (!is_packed(data.type()))
    return Tensor::for_output_of(data, std::move(shape), std::move(elements.bytes));
  Tensor output = Tensor::for_output_of(data, std::move(shape));
  pack_elements(data.type(), elements.bytes, output.bytes(), 0);
  return output;
}

// The second oracle's answer to a call, without the elements.
struct Outline {
  Reading reading;
  std::optional<Shape> shape;  // nothing if the call is refused
};

Outline outline_of(const Case& question) {
  oracle_calls.fetch_add(1);
  Outline outline{second::read(question), std::nullopt};
  if (outline.reading.says != Reading::Says::refuses) outline.shape = product(outline.reading.axes);
  return outline;
}

}  // namespace

Result<SecondShape> shape_by_copies(const Case& question) {
  Outline outline = outline_of(question);
  if (!outline.shape) return refusal();
  return SecondShape{*std::move(outline.shape), outline.reading.says == Reading::Says::leaves_open};
}

Result<Tensor> tile_by_copies(const Case& question, const Tensor& data) {
  Outline outline = outline_of(question);
  if (!outline.shape) return refusal();
  const Error too_large{Error::Code::out_of_memory, "the output is too large for this machine's memory"};
  if (!byte_size(data.type(), element_count(*outline.shape).value())) return too_large;
  try {
    return construct(data, outline.reading.axes, *std::move(outline.shape));
  } catch (const std::bad_alloc&) {
    return too_large;
  } catch (const std::length_error&) {
    return too_large;
  }
}

}  // namespace certile::second
