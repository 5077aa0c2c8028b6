#include "conformance/ask/rig/prefill.hpp"

#include <algorithm>

#include "reference/values/mix.hpp"

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

}  // namespace certile::conformance
