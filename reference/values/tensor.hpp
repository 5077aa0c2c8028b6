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

namespace certile {

using Shape = std::vector<std::int64_t>;

// Product of the dimensions; 1 for rank 0; nothing when it exceeds 2^63 - 1 (a product with a 0 in it is 0)
// or when a dimension is negative.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) noexcept;

// ceil(count * bits / 8); nothing when that exceeds what a size can say.
std::optional<std::size_t> byte_size(ElementType type, std::int64_t count) noexcept;

// One element of a string tensor: characters that somebody else owns, NULs allowed, no terminator.
struct StringElement {
  const char* bytes;
  std::uint64_t size;
};

// Dense, row-major, little-endian bytes that someone else owns.
template <class Byte>
struct BasicTensorView {
  ElementType type;
  std::span<const std::int64_t> shape;
  std::span<Byte> bytes;  // byte_size(type, element_count(shape)); none where only the shape is asked
};
using TensorView = BasicTensorView<const std::byte>;
using MutableTensorView = BasicTensorView<std::byte>;

// A tensor that owns its bytes.  The harness creates these, never a backend.
// A string tensor's bytes are StringElements; the characters lie in one arena, which copies share and nobody
// changes.
class Tensor {
 public:
  using Characters = std::shared_ptr<const std::string>;

  // Zeroed elements.  The shape must have an element count and a byte size.
  Tensor(ElementType type, Shape shape);

  // The type and shape alone: `bytes` of its views are empty, however many elements the shape has.
  static Tensor without_elements(ElementType type, Shape shape);

  // A string tensor whose characters are copied.  `strings.size()` is the element count of `shape`.
  static Tensor of_strings(Shape shape, std::span<const std::string> strings);

  // Returns the same elements in the same order, as another shape with as many.
  Tensor reshaped(Shape shape) const;

  // Same type and characters as `source`, another shape, zeroed elements: what Tile fills.
  static Tensor for_output_of(const Tensor& source, Shape shape);

  ElementType type() const noexcept { return type_; }
  const Shape& shape() const noexcept { return shape_; }
  // 0 or more; a tensor without elements still has the count of its shape.
  std::int64_t count() const noexcept;
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  std::span<std::byte> bytes() noexcept { return bytes_; }
  TensorView view() const noexcept { return {type_, shape_, bytes_}; }
  MutableTensorView mutable_view() noexcept { return {type_, shape_, bytes_}; }

  // The bits of element `index`, low bits first, for every type but string; up to 128 bits.
  struct Bits {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Bits&) const = default;
  };
  Bits element(std::int64_t index) const noexcept;
  void set_element(std::int64_t index, Bits bits) noexcept;
  // Element `index` of a string tensor.
  std::string_view string_element(std::int64_t index) const noexcept;

  // Type, shape and content: bit for bit, strings by their characters; padding bits of the last byte do not
  // count.
  friend bool operator==(const Tensor& left, const Tensor& right) noexcept;

 private:
  Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes, Characters characters);

  ElementType type_;
  Shape shape_;
  std::vector<std::byte> bytes_;
  Characters characters_;
};

}  // namespace certile
