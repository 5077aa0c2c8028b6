#include "reference/second/reading.hpp"

#include <cstddef>
#include <string_view>

namespace certile::second {

#define DEFINITION(identifier, name, prefix, number, form, strings) \
  Reading read_##identifier(const Case& question);
#include "reference/values/definitions.inc"
#undef DEFINITION

Reading read(const Case& question) {
  static constexpr Reading (*all[])(const Case&) = {
#define DEFINITION(identifier, name, prefix, number, form, strings) read_##identifier,
#include "reference/values/definitions.inc"
#undef DEFINITION
  };
  return all[static_cast<std::size_t>(question.definition)](question);
}

// Decodes two's complement: a pattern whose top bit is a sign stands for a number smaller by 2^bits.
Wide integer(const Tensor& tensor, std::int64_t index) {
  const Wide pattern = tensor.element(index).low;
  const int width = bits(tensor.type());
  const bool negative = is_signed_integer(tensor.type()) && ((pattern >> (width - 1)) & 1) != 0;
  return negative ? pattern - (Wide{1} << width) : pattern;
}

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

namespace {

// Returns the number of bytes of the UTF-8 character at the beginning of `text`, or 0 if there is none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & (0xffU >> (size + 1));
  for (std::size_t index = 1; index < size; ++index) {
    if ((byte(index) & 0xc0U) != 0x80) return 0;
    code = code << 6 | (byte(index) & 0x3fU);
  }
  const bool is_short_enough = size == 2 || (size == 3 ? code >= 0x800 : code >= 0x10000);
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return is_short_enough && !is_surrogate && code <= 0x10ffff ? size : 0;
}

}  // namespace

bool is_utf8(const Tensor& strings) {
  if (strings.bytes().empty()) return true;
  for (std::int64_t index = 0; index < strings.count(); ++index)
    for (std::string_view rest = strings.string_element(index); !rest.empty();) {
      const std::size_t size = character(rest);
      if (size == 0) return false;
      rest.remove_prefix(size);
    }
  return true;
}

}  // namespace certile::second
