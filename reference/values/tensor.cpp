#include "reference/values/tensor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "reference/values/packed.hpp"

namespace certile {
namespace {

std::size_t bytes_of(ElementType type, std::span<const std::int64_t> shape) {
  return byte_size(type, element_count(shape).value()).value();
}

}  // namespace

std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) noexcept {
  std::int64_t count = 1;
  bool overflows = false;
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    empty = empty || dimension == 0;
    overflows = overflows || __builtin_mul_overflow(count, dimension, &count);
  }
  if (empty) return 0;  // whatever the product of the others
  return overflows ? std::nullopt : std::optional(count);
}

std::optional<std::size_t> byte_size(ElementType type, std::int64_t count) noexcept {
  const auto width = static_cast<std::uint64_t>(bits(type));
  const auto elements = static_cast<std::uint64_t>(count);
  if (elements > (std::numeric_limits<std::uint64_t>::max() - 7) / width) return std::nullopt;
  return static_cast<std::size_t>((elements * width + 7) / 8);
}

Tensor::Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes, Characters characters)
    : type_(type), shape_(std::move(shape)), bytes_(std::move(bytes)), characters_(std::move(characters)) {}

Tensor::Tensor(ElementType type, Shape shape)
    : type_(type), shape_(std::move(shape)), bytes_(bytes_of(type_, shape_)) {}

Tensor Tensor::without_elements(ElementType type, Shape shape) {
  return Tensor(type, std::move(shape), {}, {});
}

Tensor Tensor::of_strings(Shape shape, std::span<const std::string> strings) {
  auto characters = std::make_shared<std::string>();
  for (const std::string& each : strings)
    characters->append(each);
  Tensor tensor(ElementType::string, std::move(shape));
  const char* next = characters->data();
  for (std::size_t index = 0; index < strings.size(); ++index) {
    const StringElement element{next, strings[index].size()};
    std::memcpy(tensor.bytes_.data() + index * sizeof element, &element, sizeof element);
    next += element.size;
  }
  tensor.characters_ = std::move(characters);
  return tensor;
}

Tensor Tensor::for_output_of(const Tensor& source, Shape shape) {
  Tensor tensor(source.type_, std::move(shape));
  tensor.characters_ = source.characters_;
  return tensor;
}

Tensor Tensor::for_output_of(const Tensor& source, Shape shape, std::vector<std::byte> bytes) {
  return Tensor(source.type_, std::move(shape), std::move(bytes), source.characters_);
}

Tensor Tensor::reshaped(Shape shape) const {
  Tensor tensor = *this;
  tensor.shape_ = std::move(shape);
  return tensor;
}

std::int64_t Tensor::count() const noexcept {
  return element_count(shape_).value_or(0);
}

Tensor::Bits Tensor::element(std::int64_t index) const noexcept {
  const auto at = static_cast<std::size_t>(index);
  if (is_packed(type_)) return {packed_element(type_, bytes_, at), 0};
  const auto width = static_cast<std::size_t>(bits(type_)) / 8;
  Bits value;
  std::memcpy(&value.low, bytes_.data() + at * width, std::min<std::size_t>(width, 8));
  if (width > 8) std::memcpy(&value.high, bytes_.data() + at * width + 8, width - 8);
  return value;
}

void Tensor::set_element(std::int64_t index, Bits value) noexcept {
  const auto at = static_cast<std::size_t>(index);
  if (is_packed(type_)) return set_packed_element(type_, bytes_, at, static_cast<std::uint8_t>(value.low));
  const auto width = static_cast<std::size_t>(bits(type_)) / 8;
  std::memcpy(bytes_.data() + at * width, &value.low, std::min<std::size_t>(width, 8));
  if (width > 8) std::memcpy(bytes_.data() + at * width + 8, &value.high, width - 8);
}

std::string_view Tensor::string_element(std::int64_t index) const noexcept {
  StringElement element;
  std::memcpy(&element, bytes_.data() + static_cast<std::size_t>(index) * sizeof element, sizeof element);
  return {element.bytes, static_cast<std::size_t>(element.size)};
}

bool operator==(const Tensor& left, const Tensor& right) noexcept {
  if (left.type_ != right.type_ || left.shape_ != right.shape_) return false;
  if (left.bytes_.size() != right.bytes_.size()) return false;
  const std::int64_t count = left.bytes_.empty() ? 0 : left.count();
  if (left.type_ == ElementType::string) {
    for (std::int64_t index = 0; index < count; ++index)
      if (left.string_element(index) != right.string_element(index)) return false;
    return true;
  }
  if (left.bytes_.empty()) return true;
  // Every byte but the last of packed elements belongs to elements; the last one may have padding bits.
  const std::size_t whole = left.bytes_.size() - (is_packed(left.type_) ? 1 : 0);
  // Not std::equal, which takes one std::byte after the other.
  if (std::memcmp(left.bytes_.data(), right.bytes_.data(), whole) != 0) return false;
  if (!is_packed(left.type_)) return true;
  for (std::int64_t index = std::max<std::int64_t>(0, count - 8); index < count; ++index)
    if (left.element(index) != right.element(index)) return false;
  return true;
}

}  // namespace certile
