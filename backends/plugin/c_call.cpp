#include "backends/plugin/c_call.hpp"

#include <algorithm>
#include <cstdint>

namespace certile {

static_assert(c_code(ElementType::boolean) == CERTILE_BOOLEAN);
static_assert(c_code(ElementType::u1) == CERTILE_U1);
static_assert(c_code(ElementType::f16) == CERTILE_F16);
static_assert(c_code(ElementType::nf4) == CERTILE_NF4);
static_assert(c_code(ElementType::string) == CERTILE_STRING);
static_assert(sizeof(StringElement) == sizeof(certile_string));

std::uint32_t c_code(DefinitionId definition) noexcept {
  static constexpr std::uint32_t numbers[] = {
#define DEFINITION(identifier, name, prefix, number, form, strings) number,
#include "reference/values/definitions.inc"
#undef DEFINITION
  };
  return numbers[static_cast<std::size_t>(definition)];
}

std::uint64_t alignment_of(const void* address, ElementType type) noexcept {
  const auto value = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
  if (value == 0) return static_cast<std::uint64_t>(std::max(bits(type) / 8, 1));
  return value & (~value + 1);
}

certile_tensor c_tensor(ElementType type, std::span<const std::int64_t> shape,
                        std::span<const std::byte> bytes) noexcept {
  certile_tensor tensor{};
  tensor.struct_size = sizeof tensor;
  tensor.element_type = c_code(type);
  tensor.element_bits = static_cast<std::uint32_t>(bits(type));
  tensor.rank = static_cast<std::int32_t>(shape.size());
  tensor.shape = shape.data();
  // One struct serves inputs and output, because the header's rules, not its types, say who may write.
  tensor.data = bytes.empty() ? nullptr : const_cast<std::byte*>(bytes.data());
  tensor.byte_size = bytes.size();
  tensor.alignment = alignment_of(tensor.data, type);
  return tensor;
}

CCall::CCall(const Call& call) noexcept
    : data_(c_tensor(call.data.type, call.data.shape, call.data.bytes)),
      repeats_(c_tensor(call.repeats.type, call.repeats.shape, call.repeats.bytes)),
      axis_(call.axis ? c_tensor(call.axis->type, call.axis->shape, call.axis->bytes) : certile_tensor{}),
      call_{sizeof(certile_call), c_code(call.definition), &data_, &repeats_, call.axis ? &axis_ : nullptr} {}

}  // namespace certile
