#include "conformance/isolation/output_bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "conformance/isolation/request.hpp"
#include "reference/tensor.hpp"

namespace certile {

std::vector<std::byte> flatten_strings(std::span<const std::byte> views, std::int64_t count,
                                       std::byte pattern, std::size_t limit) {
  const auto elements = static_cast<std::size_t>(count);
  std::vector<std::byte> flat(elements * sizeof(std::uint64_t));
  std::size_t characters = flat.size();
  for (std::size_t index = 0; index < elements; ++index) {
    const auto view = views.subspan(index * sizeof(StringElement), sizeof(StringElement));
    StringElement element;
    std::memcpy(&element, view.data(), sizeof element);
    std::uint64_t size = element.size;
    if (std::all_of(view.begin(), view.end(), [pattern](std::byte byte) { return byte == pattern; })) {
      size = unwritten_string;
    } else if (characters > limit || size > limit - characters) {
      size = oversized_string;
    } else if (size != 0) {
      const auto* first = reinterpret_cast<const std::byte*>(element.bytes);
      flat.insert(flat.end(), first, first + size);
      characters += size;
    }
    std::memcpy(flat.data() + index * sizeof size, &size, sizeof size);
  }
  return flat;
}

bool holds_both_poisons(std::span<const std::byte> earlier, std::span<const std::byte> views,
                        std::byte pattern) {
  if (earlier.size() != views.size()) return false;
  const auto untouched = [&](std::size_t at) { return views[at] == pattern && earlier[at] == ~pattern; };
  for (std::size_t view = 0; view < views.size(); view += sizeof(StringElement)) {
    bool pointer = true;
    bool size = false;
    for (std::size_t byte = 0; byte < sizeof(std::uint64_t); ++byte) {
      pointer = pointer && untouched(view + byte);
      size = size || untouched(view + offsetof(StringElement, size) + byte);
    }
    if (pointer || size) return true;
  }
  return false;
}

}  // namespace certile
