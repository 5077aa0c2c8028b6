#include "conformance/ask/rig/output_bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "conformance/ask/wire/request.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

Prefill prefill_of(const Request& request, std::size_t output_size) noexcept {
  constexpr std::size_t most = std::size_t{1} << 20;
  if (output_size == 0 || output_size > most || request.data.front().type() == ElementType::string)
    return Prefill::none;
  std::uint64_t number = shape_digest(request.data.front().shape());
  for (const std::byte byte : request.repeats.bytes())
    number = mix(number + std::to_integer<std::uint64_t>(byte));
  constexpr std::uint64_t share = 8;
  switch (number % share) {
    case 0:
      return Prefill::zeros_first;
    case 1:
      return Prefill::zeros_behind;
    case 2:
      return Prefill::right_ends;
    default:
      return Prefill::none;
  }
}

void prefill(Prefill wanted, std::span<std::byte> answer) noexcept {
  const std::size_t half = (answer.size() + 1) / 2, third = answer.size() / 3;
  std::span<std::byte> other = answer.subspan(third, answer.size() - 2 * third);
  if (wanted == Prefill::zeros_first) {
    std::ranges::fill(answer.first(half), std::byte{0});
    other = answer.subspan(half);
  } else if (wanted == Prefill::zeros_behind) {
    std::ranges::fill(answer.last(half), std::byte{0});
    other = answer.first(answer.size() - half);
  }
  std::ranges::transform(other, other.begin(), [](std::byte byte) { return ~byte; });
}

const char* in_words(Prefill wanted) noexcept {
  if (wanted == Prefill::zeros_first) return "zeros first, and other bytes behind them";
  if (wanted == Prefill::zeros_behind) return "zeros at its end, and other bytes before them";
  return "its answer already, but for the middle";
}

bool same_bytes(std::span<const std::byte> left, std::span<const std::byte> right) noexcept {
  return left.size() == right.size() &&
         (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0);
}

std::vector<std::byte> flatten_strings(std::span<const std::byte> views, std::int64_t count,
                                       std::byte pattern, std::size_t limit) {
  const auto elements = static_cast<std::size_t>(count);
  const std::size_t sizes = elements * sizeof(std::uint64_t);
  std::vector<std::byte> flat(sizes);
  StringElement unwritten;
  std::memset(&unwritten, std::to_integer<int>(pattern), sizeof unwritten);
  // The sizes come before the characters, so their room is taken at once.
  std::size_t used = sizes;
  for (std::size_t index = 0; index < elements; ++index) {
    StringElement element;
    std::memcpy(&element, views.data() + index * sizeof element, sizeof element);
    std::uint64_t size = element.size;
    if (std::memcmp(&element, &unwritten, sizeof element) == 0)
      size = unwritten_string;
    else if (used > limit || size > limit - used)
      size = oversized_string;
    else
      used += size;
    std::memcpy(flat.data() + index * sizeof size, &size, sizeof size);
  }
  flat.reserve(used);
  for (std::size_t index = 0; index < elements && flat.size() < used; ++index) {
    StringElement element;
    std::memcpy(&element, views.data() + index * sizeof element, sizeof element);
    std::uint64_t size = 0;
    std::memcpy(&size, flat.data() + index * sizeof size, sizeof size);
    if (size == unwritten_string || size == oversized_string || size == 0) continue;
    const auto* first = reinterpret_cast<const std::byte*>(element.bytes);
    flat.insert(flat.end(), first, first + size);
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

}  // namespace certile::conformance
