#include "reference/values/element_type.hpp"

#include <algorithm>
#include <cstddef>

namespace certile {
namespace {

enum class Family : std::uint8_t { boolean, signed_integer, unsigned_integer, real, complex, string };

struct Entry {
  ElementType type;
  std::string_view name;
  int bits;
  Family family;
};

using enum ElementType;

constexpr std::array<Entry, element_type_count> table{{
    {boolean, "boolean", 8, Family::boolean},
    {i4, "i4", 4, Family::signed_integer},
    {i8, "i8", 8, Family::signed_integer},
    {i16, "i16", 16, Family::signed_integer},
    {i32, "i32", 32, Family::signed_integer},
    {i64, "i64", 64, Family::signed_integer},
    {u1, "u1", 1, Family::unsigned_integer},
    {u2, "u2", 2, Family::unsigned_integer},
    {u3, "u3", 3, Family::unsigned_integer},
    {u4, "u4", 4, Family::unsigned_integer},
    {u6, "u6", 6, Family::unsigned_integer},
    {u8, "u8", 8, Family::unsigned_integer},
    {u16, "u16", 16, Family::unsigned_integer},
    {u32, "u32", 32, Family::unsigned_integer},
    {u64, "u64", 64, Family::unsigned_integer},
    {f16, "f16", 16, Family::real},
    {bf16, "bf16", 16, Family::real},
    {f32, "f32", 32, Family::real},
    {f64, "f64", 64, Family::real},
    {nf4, "nf4", 4, Family::real},
    {f8e4m3, "f8e4m3", 8, Family::real},
    {f8e5m2, "f8e5m2", 8, Family::real},
    {f8e8m0, "f8e8m0", 8, Family::real},
    {f4e2m1, "f4e2m1", 4, Family::real},
    {c64, "c64", 64, Family::complex},
    {c128, "c128", 128, Family::complex},
    {string, "string", 128, Family::string},
}};

const Entry& entry(ElementType type) noexcept {
  return table[static_cast<std::size_t>(type)];
}

}  // namespace

const std::array<ElementType, element_type_count>& all_element_types() noexcept {
  static constexpr auto types = [] {
    std::array<ElementType, element_type_count> result{};
    std::transform(table.begin(), table.end(), result.begin(), [](const Entry& each) { return each.type; });
    return result;
  }();
  return types;
}

std::string_view name(ElementType type) noexcept {
  return entry(type).name;
}

std::optional<ElementType> element_type_named(std::string_view name) noexcept {
  for (const Entry& each : table)
    if (each.name == name) return each.type;
  return std::nullopt;
}

int bits(ElementType type) noexcept {
  return entry(type).bits;
}

bool is_packed(ElementType type) noexcept {
  return bits(type) % 8 != 0;
}

bool is_signed_integer(ElementType type) noexcept {
  return entry(type).family == Family::signed_integer;
}

bool is_unsigned_integer(ElementType type) noexcept {
  return entry(type).family == Family::unsigned_integer;
}

bool is_integer(ElementType type) noexcept {
  return is_signed_integer(type) || is_unsigned_integer(type);
}

bool is_real(ElementType type) noexcept {
  return entry(type).family == Family::real;
}

}  // namespace certile
