#include "conformance/ask/wire/wire.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "backends/plugin/claim.hpp"

namespace certile::conformance {

void WireWriter::bytes(std::span<const std::byte> bytes) noexcept {
  if (!fits_ || bytes.size() > buffer_.size() - used_) {
    fits_ = false;
    return;
  }
  if (!bytes.empty()) std::memcpy(buffer_.data() + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

void WireWriter::text(std::string_view text, std::size_t limit) noexcept {
  const std::string_view kept = text.substr(0, limit);
  number(static_cast<std::uint32_t>(kept.size()));
  bytes(std::as_bytes(std::span(kept)));
}

void WireWriter::shape(std::span<const std::int64_t> shape) noexcept {
  number(static_cast<std::uint32_t>(shape.size()));
  bytes(std::as_bytes(shape));
}

void WireWriter::tensor(const Tensor& tensor) noexcept {
  number(tensor.type());
  shape(tensor.shape());
  number(static_cast<std::uint64_t>(tensor.bytes().size()));
  if (tensor.type() != ElementType::string) return bytes(tensor.bytes());
  const std::int64_t count = tensor.bytes().empty() ? 0 : tensor.count();
  for (std::int64_t index = 0; index < count; ++index)
    number(static_cast<std::uint64_t>(tensor.string_element(index).size()));
  for (std::int64_t index = 0; index < count; ++index)
    bytes(std::as_bytes(std::span(tensor.string_element(index))));
}

void WireWriter::patch(std::size_t where, std::uint32_t value) noexcept {
  std::memcpy(buffer_.data() + where, &value, sizeof value);
}

std::span<const std::byte> WireReader::bytes(std::size_t size) noexcept {
  if (!good_ || size > buffer_.size() - used_) {
    good_ = false;
    return {};
  }
  const auto found = buffer_.subspan(used_, size);
  used_ += size;
  return found;
}

std::string WireReader::text() {
  const auto found = bytes(number<std::uint32_t>());
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

Shape WireReader::shape() {
  const auto rank = number<std::uint32_t>();
  const auto found = bytes(std::size_t{rank} * sizeof(std::int64_t));
  Shape shape(found.size() / sizeof(std::int64_t));
  if (!found.empty()) std::memcpy(shape.data(), found.data(), found.size());
  return shape;
}

std::optional<Tensor> WireReader::tensor() {
  const auto type = number<ElementType>();
  Shape dimensions = shape();
  const auto size = number<std::uint64_t>();
  if (!good_ || static_cast<int>(type) >= element_type_count) return std::nullopt;
  if (size == 0) return Tensor::without_elements(type, std::move(dimensions));
  const auto count = element_count(dimensions);
  if (!count || byte_size(type, *count) != size) {
    fail();
    return std::nullopt;
  }
  if (type != ElementType::string) {
    const auto content = bytes(size);
    if (!good_) return std::nullopt;
    Tensor tensor(type, std::move(dimensions));
    std::copy(content.begin(), content.end(), tensor.bytes().begin());
    return tensor;
  }
  const auto sizes = bytes(static_cast<std::size_t>(*count) * sizeof(std::uint64_t));
  std::vector<std::string_view> strings;
  for (std::int64_t index = 0; good_ && index < *count; ++index) {
    std::uint64_t length = 0;
    std::memcpy(&length, sizes.data() + static_cast<std::size_t>(index) * sizeof length, sizeof length);
    const auto characters = bytes(length);
    strings.emplace_back(reinterpret_cast<const char*>(characters.data()), characters.size());
  }
  if (!good_) return std::nullopt;
  return Tensor::of_strings(std::move(dimensions), strings);
}

void write_claim(WireWriter& writer, const Claim& claim) {
  for (const backends::ClaimWord& each : backends::claim_words(claim))
    writer.text(each.word);
}

std::optional<Claim> read_claim(WireReader& reader) {
  auto read = backends::claim_from([&reader](const backends::ClaimWord&) { return reader.text(); });
  if (!reader.good() || !std::holds_alternative<Claim>(read)) return std::nullopt;
  return std::get<Claim>(std::move(read));
}

}  // namespace certile::conformance
