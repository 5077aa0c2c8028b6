#include "reference/values/tensor.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace certile {

namespace {

// The way in which the elements of a type lie in bytes.
struct BitLayout {
  unsigned width;
  bool is_high_bit_first;
};

BitLayout layout_of(ElementType type) noexcept {
  return {static_cast<unsigned>(bits(type)), is_high_bit_first(type)};
}

// The bits of one element: their mask in its first byte and, from bit 8 on, in the byte behind, which an
// element of 3 or 6 bits may need as well.
struct Place {
  std::size_t byte;
  unsigned shift, mask;
};

Place place_of(BitLayout layout, std::size_t index) noexcept {
  const std::size_t position = index * layout.width;
  const auto low_first = static_cast<unsigned>(position % 8);
  const unsigned shift = layout.is_high_bit_first ? 8U - layout.width - low_first : low_first;
  return {position / 8, shift, ((1U << layout.width) - 1) << shift};
}

std::uint8_t element_at(Place place, std::span<const std::byte> bytes) noexcept {
  unsigned both = std::to_integer<unsigned>(bytes[place.byte]);
  if (place.mask > 0xff) both |= std::to_integer<unsigned>(bytes[place.byte + 1]) << 8;
  return static_cast<std::uint8_t>((both & place.mask) >> place.shift);
}

void set_element_at(Place place, std::span<std::byte> bytes, unsigned value) noexcept {
  const unsigned both = (value << place.shift) & place.mask;
  const auto replace = [](std::byte& byte, unsigned mask, unsigned bits_of_value) {
    byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~mask) | bits_of_value);
  };
  replace(bytes[place.byte], place.mask & 0xff, both & 0xff);
  if (place.mask > 0xff) replace(bytes[place.byte + 1], place.mask >> 8, both >> 8);
}

// The places of eight elements, which together fill as many bytes as one of them has bits.
class Eight {
 public:
  explicit Eight(BitLayout layout) noexcept : bytes_(layout.width), mask_((1U << layout.width) - 1) {
    for (std::size_t index = 0; index < shifts_.size(); ++index) {
      const Place place = place_of(layout, index);
      shifts_[index] = 8 * static_cast<unsigned>(place.byte) + place.shift;
    }
  }

  void unpack(const std::byte* packed, std::byte* values) const noexcept {
    std::uint64_t word = 0;
    for (unsigned byte = 0; byte < bytes_; ++byte)
      word |= std::to_integer<std::uint64_t>(packed[byte]) << 8 * byte;
    for (std::size_t index = 0; index < shifts_.size(); ++index)
      values[index] = static_cast<std::byte>(word >> shifts_[index] & mask_);
  }

  void pack(const std::byte* values, std::byte* packed) const noexcept {
    std::uint64_t word = 0;
    for (std::size_t index = 0; index < shifts_.size(); ++index)
      word |= (std::to_integer<std::uint64_t>(values[index]) & mask_) << shifts_[index];
    for (unsigned byte = 0; byte < bytes_; ++byte)
      packed[byte] = static_cast<std::byte>(word >> 8 * byte);
  }

 private:
  unsigned bytes_, mask_;
  std::array<unsigned, 8> shifts_{};
};

}  // namespace

std::uint8_t packed_element(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept {
  return element_at(place_of(layout_of(type), index), bytes);
}

void set_packed_element(ElementType type, std::span<std::byte> bytes, std::size_t index,
                        std::uint8_t value) noexcept {
  set_element_at(place_of(layout_of(type), index), bytes, value);
}

void unpack_elements(ElementType type, std::span<const std::byte> bytes,
                     std::span<std::byte> values) noexcept {
  const BitLayout layout = layout_of(type);
  const Eight eight(layout);
  std::size_t index = 0;
  for (; index + 8 <= values.size(); index += 8)
    eight.unpack(bytes.data() + index / 8 * layout.width, values.data() + index);
  for (; index < values.size(); ++index)
    values[index] = std::byte{element_at(place_of(layout, index), bytes)};
}

void pack_elements(ElementType type, std::span<const std::byte> values, std::span<std::byte> bytes,
                   std::size_t first) noexcept {
  const BitLayout layout = layout_of(type);
  std::size_t index = 0;
  const auto pack_until = [&](std::size_t end) {
    for (; index < end; ++index)
      set_element_at(place_of(layout, first + index), bytes, std::to_integer<unsigned>(values[index]));
  };
  pack_until(std::min(values.size(), (8 - first % 8) % 8));
  if (index + 8 <= values.size()) {
    const Eight eight(layout);
    for (; index + 8 <= values.size(); index += 8)
      eight.pack(values.data() + index, bytes.data() + (first + index) / 8 * layout.width);
  }
  pack_until(values.size());
}

std::byte used_bits_of_last_byte(ElementType type, std::int64_t count) noexcept {
  const auto rest = static_cast<unsigned>(count % 8 * bits(type) % 8);
  if (rest == 0) return std::byte{0xff};
  const unsigned low = (1U << rest) - 1;
  return static_cast<std::byte>(is_high_bit_first(type) ? low << (8 - rest) : low);
}

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
  return of_strings(std::move(shape), std::vector<std::string_view>(strings.begin(), strings.end()));
}

Tensor Tensor::of_strings(Shape shape, std::span<const std::string_view> strings) {
  std::size_t size = 0;
  for (const std::string_view each : strings)
    size += each.size();
  auto characters = std::make_shared<std::string>();
  characters->reserve(size);
  for (const std::string_view each : strings)
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
