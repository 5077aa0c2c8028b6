#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Packed elements are one linear stream of bits: element k starts at bit k * bits, regardless of rows.
// The stream fills each byte from the low bit up, except u1, which fills it from the high bit down; ours
// [OV-T1-X14].

// Returns element `index` of a packed type, in the low bits of the answer.
std::uint8_t packed_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept;

// Writes the low bits of `value` as element `index`, and leaves its neighbours unchanged.
void set_packed_element(ElementType type, std::span<std::byte> bytes, std::size_t index,
                        std::uint8_t value) noexcept;

// Writes the first `values.size()` elements of a packed type, each in the low bits of a byte.
void unpack_elements(ElementType type, std::span<const std::byte> bytes,
                     std::span<std::byte> values) noexcept;

// Writes the low bits of the values as the elements from `first` on, and leaves their neighbours unchanged.
void pack_elements(ElementType type, std::span<const std::byte> values, std::span<std::byte> bytes,
                   std::size_t first) noexcept;

// Returns a mask of the bits of the last byte of `count` elements that belong to elements; the others are
// padding, which no one reads.
std::byte used_bits_of_last_byte(ElementType type, std::int64_t count) noexcept;

using Shape = std::vector<std::int64_t>;

// Returns the product of the dimensions; 1 for rank 0; nothing if it exceeds 2^63 - 1 (a product with a 0 in
// it is 0) or a dimension is negative.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) noexcept;

// Returns ceil(count * bits / 8), in bytes; nothing if a size cannot hold it.
std::optional<std::size_t> byte_size(ElementType type, std::int64_t count) noexcept;

// One element of a string tensor: characters with another owner, NULs allowed, no terminator.
struct StringElement {
  const char* bytes;
  std::uint64_t size;
};

// A view of dense, row-major, little-endian bytes with another owner.
template <class Byte>
struct BasicTensorView {
  ElementType type;
  std::span<const std::int64_t> shape;
  std::span<Byte> bytes;  // byte_size(type, element_count(shape)); none if only the shape is asked for
};
using TensorView = BasicTensorView<const std::byte>;
using MutableTensorView = BasicTensorView<std::byte>;

// A tensor that owns its bytes.  The harness creates tensors; backends never do.  The bytes of a string
// tensor are StringElements; their characters are in one constant arena, which copies share.
class Tensor {
 public:
  using Characters = std::shared_ptr<const std::string>;

  // Creates zeroed elements.  The shape must have an element count and a byte size.
  Tensor(ElementType type, Shape shape);

  // Returns the type and shape alone: `bytes` of its views are empty, however many elements the shape has.
  static Tensor without_elements(ElementType type, Shape shape);

  // Returns a string tensor with copied characters.  `strings.size()` must be the element count of `shape`.
  static Tensor of_strings(Shape shape, std::span<const std::string_view> strings);
  static Tensor of_strings(Shape shape, std::span<const std::string> strings);

  // Returns the same elements in the same order, as another shape with the same count.
  Tensor reshaped(Shape shape) const;

  // Returns a tensor for Tile to fill: zeroed, of the type and characters of `source`, of another shape.
  static Tensor for_output_of(const Tensor& source, Shape shape);
  // Returns a tensor with these bytes, as many as the shape needs, of the type and characters of `source`.
  static Tensor for_output_of(const Tensor& source, Shape shape, std::vector<std::byte> bytes);

  ElementType type() const noexcept { return type_; }
  const Shape& shape() const noexcept { return shape_; }
  // Returns the element count of the shape, 0 or more, also for a tensor without elements.
  std::int64_t count() const noexcept;
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::span<std::byte> bytes() noexcept { return bytes_; }
  TensorView view() const noexcept { return {type_, shape_, bytes_}; }
  MutableTensorView mutable_view() noexcept { return {type_, shape_, bytes_}; }

  // The bits of an element of up to 128 bits, low bits first; not for strings.
  struct Bits {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Bits&) const = default;
  };
  Bits element(std::int64_t index) const noexcept;
  void set_element(std::int64_t index, Bits bits) noexcept;
  // Returns element `index` of a string tensor.
  std::string_view string_element(std::int64_t index) const noexcept;

  // Compares type, shape and content: bit for bit, strings by their characters, without the padding bits of
  // the last byte.
  friend bool operator==(const Tensor& left, const Tensor& right) noexcept;

 private:
  Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes, Characters characters);

  ElementType type_;
  Shape shape_;
  std::vector<std::byte> bytes_;
  Characters characters_;
};

// Returns the view of a tensor, if there is one.
inline std::optional<TensorView> view_of(const std::optional<Tensor>& tensor) noexcept {
  return tensor ? std::optional(tensor->view()) : std::nullopt;
}

// Returns the tensor as an operand, with its elements: f32[4,6]{1,2,…}; a rank-1 shape is omitted next to
// elements.
std::string to_string(const Tensor& tensor);

// Returns element `index` as the operand spells it.
std::string element_to_string(const Tensor& tensor, std::int64_t index);

// Returns the type and shape alone: f32[4,6].
std::string shape_to_string(ElementType type, const Shape& shape);

// Makes a tensor whose elements are spelled as in a literal.  Each spelling must be that of an element of the
// type, and their number must be the element count of the shape.
Tensor tensor_spelled(ElementType type, Shape shape, std::span<const std::string> spellings);

// Makes a tensor of whole numbers, each of which the type must have.
Tensor tensor_of_numbers(ElementType type, Shape shape, std::span<const std::int64_t> numbers);

}  // namespace certile
