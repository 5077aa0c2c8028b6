#include "conformance/ask/rig/string_characters.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace certile::conformance {

namespace {

// The places of the characters of a tensor's strings, from the begin of their memory on.
struct Places {
  std::vector<std::size_t> of_strings;
  std::vector<bool> in_twin;  // far away, in the arena's second view
  std::size_t size = 0;       // of the memory
};

Places rising_places(const Tensor& strings) {
  Places places;
  std::string_view shared;  // the longest of the strings that begin at `begin`
  std::size_t begin = 0;
  for (std::int64_t index = 0; index < strings.count(); ++index) {
    const std::string_view text = strings.string_element(index);
    const bool shares =
        !shared.empty() && !text.empty() && (shared.starts_with(text) || text.starts_with(shared));
    if (!shares) begin = places.size;
    if (!shares || text.size() > shared.size()) shared = text;
    places.size = begin + shared.size();
    places.of_strings.push_back(begin);
  }
  places.in_twin.resize(places.of_strings.size());
  places.size = std::max<std::size_t>(places.size, 1);  // an address for empty strings
  return places;
}

Places falling_places(const Tensor& strings) {
  constexpr std::size_t gap = 3;  // odd, so that strings begin at every alignment
  const auto count = static_cast<std::size_t>(strings.count());
  Places places{std::vector<std::size_t>(count), std::vector<bool>(count)};
  std::string_view shared;  // the last one that is not the end of another
  bool shared_in_twin = false;
  for (std::size_t index = count; index-- > 0;) {
    const std::string_view text = strings.string_element(static_cast<std::int64_t>(index));
    if (text.empty()) continue;
    if (text.size() >= shared.size() || !shared.ends_with(text)) {
      if (places.size > 0) places.size += gap;
      places.size += text.size();
      shared = text;
      shared_in_twin = index % 2 == 1;
    }
    places.of_strings[index] = places.size - text.size();
    places.in_twin[index] = shared_in_twin;
  }
  return places;
}

}  // namespace

std::optional<std::vector<std::byte>> place_characters(const Tensor& strings, Spot spot, CharacterOrder order,
                                                       Arena& arena) {
  const bool falls = order == CharacterOrder::falling;
  const Places places = falls ? falling_places(strings) : rising_places(strings);
  if (!arena.place(places.size, spot)) return std::nullopt;

  std::vector<std::byte> views(places.of_strings.size() * sizeof(StringElement));
  std::ranges::fill(arena.written(), Arena::input_guard);
  for (std::size_t index = 0; index < places.of_strings.size(); ++index) {
    const std::string_view text = strings.string_element(static_cast<std::int64_t>(index));
    const std::size_t at = places.of_strings[index];
    StringElement element{nullptr, text.size()};
    const std::byte* const begin = places.in_twin[index] ? arena.twin() : arena.seen();
    if (!(falls && text.empty())) element.bytes = reinterpret_cast<const char*>(begin + at);
    if (!text.empty()) std::memcpy(arena.written().data() + at, text.data(), text.size());
    std::memcpy(views.data() + index * sizeof element, &element, sizeof element);
  }
  return views;
}

}  // namespace certile::conformance
