#include "backends/worker/wire_types.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace certile::backends {
namespace {

struct Dtype {
  std::string_view name;
  int bits;
  std::optional<ElementType> type;  // none: certile has no such type, or packs it differently
};

constexpr std::array dtypes{
    Dtype{"BOOL", 8, ElementType::boolean},   Dtype{"U8", 8, ElementType::u8},
    Dtype{"I8", 8, ElementType::i8},          Dtype{"U16", 16, ElementType::u16},
    Dtype{"I16", 16, ElementType::i16},       Dtype{"F16", 16, ElementType::f16},
    Dtype{"BF16", 16, ElementType::bf16},     Dtype{"U32", 32, ElementType::u32},
    Dtype{"I32", 32, ElementType::i32},       Dtype{"F32", 32, ElementType::f32},
    Dtype{"U64", 64, ElementType::u64},       Dtype{"I64", 64, ElementType::i64},
    Dtype{"F64", 64, ElementType::f64},       Dtype{"C64", 64, ElementType::c64},
    Dtype{"F8_E4M3", 8, ElementType::f8e4m3}, Dtype{"F8_E5M2", 8, ElementType::f8e5m2},
    Dtype{"F8_E8M0", 8, ElementType::f8e8m0}, Dtype{"F4", 4, std::nullopt},
    Dtype{"F6_E2M3", 6, std::nullopt},        Dtype{"F6_E3M2", 6, std::nullopt},
};

const Dtype* found(std::string_view name) noexcept {
  const auto* at =
      std::find_if(dtypes.begin(), dtypes.end(), [name](const Dtype& each) { return each.name == name; });
  return at == dtypes.end() ? nullptr : at;
}

}  // namespace

std::string_view dtype_of(ElementType type) noexcept {
  for (const Dtype& each : dtypes)
    if (each.type == type) return each.name;
  return {};
}

std::optional<ElementType> type_of_dtype(std::string_view dtype) noexcept {
  const Dtype* known = found(dtype);
  return known == nullptr ? std::nullopt : known->type;
}

int bits_of_dtype(std::string_view dtype) noexcept {
  const Dtype* known = found(dtype);
  return known == nullptr ? 0 : known->bits;
}

std::vector<std::byte> flat_strings(std::span<const std::byte> elements) {
  const std::size_t count = elements.size() / sizeof(StringElement);
  std::vector<std::byte> flat((count + 1) * sizeof(std::uint64_t));
  std::uint64_t offset = 0;
  for (std::size_t index = 0; index < count; ++index) {
    StringElement element;
    std::memcpy(&element, elements.data() + index * sizeof element, sizeof element);
    const auto* characters = reinterpret_cast<const std::byte*>(element.bytes);
    flat.insert(flat.end(), characters, characters + element.size);
    offset += element.size;
    std::memcpy(flat.data() + (index + 1) * sizeof offset, &offset, sizeof offset);
  }
  return flat;
}

Result<std::vector<StringElement>> strings_in(std::span<const std::byte> flat, std::size_t count) {
  const auto invalid = [](const std::string& what) {
    return Error{
        Error::Code::backend_failed,
        what +
            "; a string tensor is u64 offsets, one more than elements, from 0 and never falling, then "
            "as many characters as the last offset says"};
  };
  if (count >= flat.size() / sizeof(std::uint64_t))
    return invalid(std::to_string(flat.size()) + " bytes are too few for the offsets of " +
                   std::to_string(count) + " strings");
  const std::size_t offsets = (count + 1) * sizeof(std::uint64_t);
  const auto* characters = reinterpret_cast<const char*>(flat.data()) + offsets;
  const std::uint64_t size = flat.size() - offsets;
  std::vector<StringElement> strings(count);
  std::uint64_t before = 0;
  for (std::size_t index = 0; index <= count; ++index) {
    std::uint64_t offset = 0;
    std::memcpy(&offset, flat.data() + index * sizeof offset, sizeof offset);
    if (offset < before || offset > size || (index == 0 && offset != 0))
      return invalid("offset " + std::to_string(index) + " of a string tensor is " + std::to_string(offset));
    if (index > 0) strings[index - 1] = {characters + before, offset - before};
    before = offset;
  }
  if (before != size)
    return invalid("a string tensor has " + std::to_string(size) + " characters, and its last offset is " +
                   std::to_string(before));
  return strings;
}

}  // namespace certile::backends
