#include "backends/plugin/status.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace certile::backends {

namespace {

// A status that a backend can report.
struct Row {
  Status status;
  std::string_view word;
  Error::Code code;
};

constexpr Row failed{Status::failed, "failed", Error::Code::backend_failed};
constexpr Row rows[] = {
    {Status::ok, "ok", Error::Code::backend_failed},
    {Status::rejected, "rejected", Error::Code::rejected},
    {Status::unsupported, "unsupported", Error::Code::unsupported},
    {Status::no_memory, "no_memory", Error::Code::out_of_memory},
    failed,
};

template <class Value>
const Row* row_with(Value Row::*field, const Value& value) noexcept {
  const Row* const found = std::ranges::find(rows, value, field);
  return found == std::end(rows) ? nullptr : found;
}

std::optional<Status> status_in(const Row* row) noexcept {
  if (row == nullptr) return std::nullopt;
  return row->status;
}

}  // namespace

std::optional<Status> reported_status(std::int32_t number) noexcept {
  return status_in(row_with(&Row::status, static_cast<Status>(number)));
}

std::optional<Status> reported_status(std::string_view word) noexcept {
  return status_in(row_with(&Row::word, word));
}

std::string_view name(Status status) noexcept {
  const Row* const row = row_with(&Row::status, status);
  return row == nullptr ? failed.word : row->word;
}

Error::Code code_of(Status status) noexcept {
  const Row* const row = row_with(&Row::status, status);
  return row == nullptr ? failed.code : row->code;
}

Status status_of(Error::Code code) noexcept {
  const auto* const row = std::ranges::find(std::begin(rows) + 1, std::end(rows), code, &Row::code);
  return row == std::end(rows) ? failed.status : row->status;
}

static_assert(sizeof(StringElement) == sizeof(certile_string));

std::uint32_t c_code(ElementType type) noexcept {
  static constexpr std::array<std::uint32_t, element_type_count> numbers{
#define ELEMENT_TYPE(name, bits, family, packing, number, format) number,
#include "reference/values/element_type.inc"
#undef ELEMENT_TYPE
  };
  return numbers[static_cast<std::size_t>(type)];
}

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

certile_tensor c_tensor(const TensorView& tensor) noexcept {
  certile_tensor c{};
  c.struct_size = sizeof c;
  c.element_type = c_code(tensor.type);
  c.element_bits = static_cast<std::uint32_t>(bits(tensor.type));
  c.rank = static_cast<std::int32_t>(tensor.shape.size());
  c.shape = tensor.shape.data();
  // One struct serves inputs and output, because the header's rules, not its types, say who may write.
  c.data = tensor.bytes.empty() ? nullptr : const_cast<std::byte*>(tensor.bytes.data());
  c.byte_size = tensor.bytes.size();
  c.alignment = alignment_of(c.data, tensor.type);
  return c;
}

certile_tensor c_tensor(const MutableTensorView& tensor) noexcept {
  return c_tensor(TensorView{tensor.type, tensor.shape, tensor.bytes});
}

PluginCall::PluginCall(DefinitionId definition, const TensorView& data, const TensorView& repeats,
                       const std::optional<TensorView>& axis) noexcept
    : data_(c_tensor(data)),
      repeats_(c_tensor(repeats)),
      axis_(axis ? c_tensor(*axis) : certile_tensor{}),
      call_{sizeof(certile_call), c_code(definition), &data_, &repeats_, axis ? &axis_ : nullptr} {}

}  // namespace certile::backends
