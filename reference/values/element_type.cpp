#include "reference/values/element_type.hpp"

#include <algorithm>

namespace certile {
namespace {

enum class Family : std::uint8_t { boolean, signed_integer, unsigned_integer, real, complex, string };
enum class Packing : std::uint8_t { WHOLE_BYTES, LOW_FIRST, HIGH_FIRST };

struct TypeRow {
  ElementType type;
  std::string_view name;
  Family family;
  Packing packing;
  std::optional<FloatFormat> format;
};

#define NO_FLOAT std::nullopt
#define FLOAT(mantissa_bits, bias, is_signed, largest) \
  FloatFormat {                                        \
    0, mantissa_bits, bias, is_signed, largest         \
  }
#define ELEMENT_TYPE(name, bits, family, packing, number, format) \
  TypeRow{ElementType::name, #name, Family::family, Packing::packing, format},
constexpr std::array<TypeRow, element_type_count> type_rows{{
#include "reference/values/element_type.inc"
}};
#undef ELEMENT_TYPE
#undef FLOAT
#undef NO_FLOAT

static_assert(std::ranges::all_of(type_rows, [](const TypeRow& each) {
  return is_packed(each.type) == (each.packing != Packing::WHOLE_BYTES);
}));

const TypeRow& row(ElementType type) noexcept {
  return type_rows[static_cast<std::size_t>(type)];
}

}  // namespace

const std::array<ElementType, element_type_count>& all_element_types() noexcept {
  static constexpr auto types = [] {
    std::array<ElementType, element_type_count> result{};
    std::ranges::transform(type_rows, result.begin(), &TypeRow::type);
    return result;
  }();
  return types;
}

std::string_view name(ElementType type) noexcept {
  return row(type).name;
}

std::optional<ElementType> element_type_named(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(type_rows, name, &TypeRow::name);
  if (found == type_rows.end()) return std::nullopt;
  return found->type;
}

bool is_high_bit_first(ElementType type) noexcept {
  return row(type).packing == Packing::HIGH_FIRST;
}

bool is_signed_integer(ElementType type) noexcept {
  return row(type).family == Family::signed_integer;
}

bool is_unsigned_integer(ElementType type) noexcept {
  return row(type).family == Family::unsigned_integer;
}

bool is_integer(ElementType type) noexcept {
  return is_signed_integer(type) || is_unsigned_integer(type);
}

bool is_real(ElementType type) noexcept {
  return row(type).family == Family::real;
}

std::optional<FloatFormat> float_format(ElementType type) noexcept {
  std::optional<FloatFormat> format = row(type).format;
  if (format) format->width = bits(type);
  return format;
}

}  // namespace certile
