#include "conformance/page/column.hpp"

namespace certile::conformance {

void Column::add(std::uint64_t number) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::uint64_t goes_on = 32;
  for (; number >= goes_on; number /= goes_on)
    text_ += digits[number % goes_on + goes_on];
  text_ += digits[number];
}

void Column::add_signed(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  add(number < 0 ? ~(bits << 1) : bits << 1);
}

std::uint32_t TextTable::number_of(std::string_view text) {
  const auto [entry, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(entry->first);
  return entry->second;
}

}  // namespace certile::conformance
