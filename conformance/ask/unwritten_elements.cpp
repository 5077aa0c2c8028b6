#include "conformance/ask/unwritten_elements.hpp"

#include <algorithm>
#include <cstring>

#include "conformance/ask/rig/rig.hpp"

namespace certile::conformance {
namespace {

using Bytes = std::span<const std::byte>;

bool is_unwritten_string(Bytes flat, std::size_t index) {
  std::uint64_t size = 0;
  if ((index + 1) * sizeof size > flat.size()) return false;
  std::memcpy(&size, flat.data() + index * sizeof size, sizeof size);
  return size == unwritten_string;
}

bool is_unwritten(Bytes first, Bytes second, std::size_t from, std::size_t size) {
  for (std::size_t at = from; at < from + size; ++at)
    if (first[at] == Rig::poison[0] && second[at] == Rig::poison[1]) return true;
  return false;
}

// Returns the bytes as a tensor, to read packed elements from it.
Tensor packed(ElementType type, const Shape& shape, Bytes bytes) {
  Tensor tensor(type, shape);
  std::ranges::copy(bytes, tensor.bytes().begin());
  return tensor;
}

// Returns the elements of `width` bytes that only the first run left as they were.  Such an element holds the
// pattern in every byte; it counts if all elements that the second run made otherwise do so, and if they have
// more bytes than hold the pattern by chance.
std::vector<bool> left_by_the_first(Bytes first, Bytes second, std::size_t width) {
  constexpr std::size_t least_bytes = 4;
  std::vector<bool> left(first.size() / width);
  std::size_t bytes = 0;
  for (std::size_t index = 0; index < left.size(); ++index) {
    const Bytes one = first.subspan(index * width, width);
    if (std::ranges::equal(one, second.subspan(index * width, width))) continue;
    if (std::ranges::count(one, Rig::poison[0]) != std::ssize(one)) return std::vector<bool>(left.size());
    left[index] = true;
    bytes += width;
  }
  return bytes < least_bytes ? std::vector<bool>(left.size()) : left;
}

std::vector<bool> unwritten_in(ElementType type, const Shape& shape, Bytes first, Bytes second) {
  const auto count = static_cast<std::size_t>(element_count(shape).value_or(0));
  std::vector<bool> unwritten(count);
  if (type == ElementType::string) {
    for (std::size_t index = 0; index < count; ++index)
      unwritten[index] = is_unwritten_string(first, index) || is_unwritten_string(second, index);
  } else if (const auto size = byte_size(type, element_count(shape).value_or(0));
             first.size() != size || second.size() != size) {
    return {};
  } else if (is_packed(type)) {
    // The patterns are opposite, so a bit that both runs left differs, and one that both wrote does not.
    const Tensor one = packed(type, shape, first), other = packed(type, shape, second);
    for (std::size_t index = 0; index < count; ++index) {
      const auto at = static_cast<std::int64_t>(index);
      unwritten[index] = one.element(at) != other.element(at);
    }
  } else {
    const auto width = static_cast<std::size_t>(bits(type) / 8);
    for (std::size_t index = 0; index < count; ++index)
      unwritten[index] = is_unwritten(first, second, index * width, width);
    if (std::ranges::find(unwritten, true) == unwritten.end())
      unwritten = left_by_the_first(first, second, width);
  }
  if (std::ranges::find(unwritten, true) == unwritten.end()) unwritten.clear();
  return unwritten;
}

}  // namespace

std::vector<std::vector<bool>> unwritten_elements(ElementType type, const Shape& shape, const Reply& reply) {
  std::vector<std::vector<bool>> all;
  const auto& first = reply.runs[0].outputs;
  const auto& second = reply.runs[1].outputs;
  for (std::size_t index = 0; index < first.size(); ++index)
    all.push_back(unwritten_in(type, shape, first[index], index < second.size() ? second[index] : Bytes{}));
  return all;
}

}  // namespace certile::conformance
