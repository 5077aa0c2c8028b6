#include "conformance/text/foreign_json.hpp"

#include <array>

namespace certile::conformance {
namespace {

bool is_within_limits(std::string_view text) {
  struct Level {
    bool is_object = false;
    std::size_t commas = 0;
  };
  std::array<Level, deepest_json + 1> levels{};
  std::size_t depth = 0, values = 0;
  bool is_in_string = false;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char each = text[index];
    if (is_in_string) {
      if (each == '\\') ++index;
      if (each == '"') is_in_string = false;
      continue;
    }
    const bool opens = each == '[' || each == '{';
    if (each == '"') is_in_string = true;
    if ((opens || each == ',') && ++values > most_json_values) return false;
    if (opens) {
      if (++depth > deepest_json) return false;
      levels[depth] = {each == '{', 0};
    }
    if ((each == ']' || each == '}') && depth > 0) --depth;
    if (each == ',' && ++levels[depth].commas >= most_json_members && levels[depth].is_object) return false;
  }
  return true;
}

}  // namespace

Json foreign_json(std::string_view text) {
  return is_within_limits(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
}

}  // namespace certile::conformance
