#include "conformance/ask/rig/string_characters.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace certile::conformance {

std::optional<std::vector<std::byte>> place_characters(const Tensor& strings, Spot spot, CharacterOrder order,
                                                       Arena& arena) {
  const bool falls = order == CharacterOrder::falling;
  const std::size_t gap = falls ? 3 : 0;  // odd, so that strings begin at every alignment
  const std::int64_t count = strings.count();
  std::size_t size = 0;
  for (std::int64_t index = 0; index < count; ++index)
    if (const std::string_view text = strings.string_element(index); !text.empty()) size += text.size() + gap;
  size -= std::min(size, gap);        // no gap behind the last
  if (!falls && size == 0) size = 1;  // an address for empty strings
  if (!arena.place(size, spot)) return std::nullopt;

  std::vector<std::byte> views(static_cast<std::size_t>(count) * sizeof(StringElement));
  std::ranges::fill(arena.written(), Arena::input_guard);
  std::size_t at = 0;
  for (std::int64_t step = 0; step < count; ++step) {
    const std::int64_t index = falls ? count - 1 - step : step;
    const std::string_view text = strings.string_element(index);
    StringElement element{nullptr, text.size()};
    const std::byte* const begin = falls && index % 2 == 1 ? arena.twin() : arena.seen();
    if (!(falls && text.empty())) element.bytes = reinterpret_cast<const char*>(begin + at);
    if (!text.empty()) {
      std::memcpy(arena.written().data() + at, text.data(), text.size());
      at += text.size() + gap;
    }
    std::memcpy(views.data() + static_cast<std::size_t>(index) * sizeof element, &element, sizeof element);
  }
  return views;
}

}  // namespace certile::conformance
