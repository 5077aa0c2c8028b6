#include "conformance/plan/budget.hpp"

#include <algorithm>
#include <charconv>

#include "conformance/text/printable.hpp"

namespace certile::conformance {

Result<Budget> parse_budget(std::string_view text) {
  const bool is_time = text.ends_with('s');
  const std::string_view digits = text.substr(0, text.size() - (is_time ? 1 : 0));
  const char* const end = digits.data() + digits.size();
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.data(), end, number);
  constexpr std::int64_t most = 1'000'000'000;
  if (read.ec != std::errc() || read.ptr != end || number < 1 || number > most)
    return Error{Error::Code::bad_literal,
                 "'" + std::string(text) + "' is no budget: 1000 are cases, and 30s is a time; from 1 to " +
                     with_thousands(most)};
  return is_time ? Budget(std::chrono::seconds(number)) : Budget(number);
}

std::string to_string(const Budget& budget) {
  const auto* const time = std::get_if<std::chrono::seconds>(&budget);
  return time != nullptr ? std::to_string(time->count()) + "s"
                         : std::to_string(std::get<std::int64_t>(budget));
}

std::string in_words(const Budget& budget) {
  const auto* const time = std::get_if<std::chrono::seconds>(&budget);
  return time != nullptr ? with_thousands(time->count()) + " s"
                         : counted(std::get<std::int64_t>(budget), "case");
}

std::size_t end_of_chunk_of_budget(std::size_t begin) noexcept {
  constexpr std::size_t least = 64, most = 4096;
  return begin + std::clamp(begin / 4, least, most);
}

}  // namespace certile::conformance
