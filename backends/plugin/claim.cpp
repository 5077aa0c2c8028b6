#include "backends/plugin/claim.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace certile {
namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_list = 4000;

// Returns nothing if there is no text, or none that ends within `longest` characters.
std::optional<std::string> bounded_text(const char* text, std::size_t longest) {
  if (text == nullptr) return std::nullopt;
  const std::size_t length = strnlen(text, longest + 1);
  if (length > longest) return std::nullopt;
  return std::string(text, length);
}

// Reads a list of names; the Error's sentence says what is wrong with the `field`.
template <class Item>
Result<std::vector<Item>> read_list(const char* text, std::string_view field,
                                    std::optional<Item> (*named)(std::string_view) noexcept) {
  const auto invalid = [field](const std::string& what) {
    return Error{Error::Code::io, std::string(field) + " " + what};
  };
  const auto list = bounded_text(text, longest_list);
  if (!list) return invalid("is no text of at most " + std::to_string(longest_list) + " characters");
  std::vector<Item> items;
  for (std::string_view rest = *list; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.empty()) continue;
    const std::optional<Item> item = named(word);
    if (!item)
      return invalid("holds '" + std::string(word.substr(0, 40)) + "', which is no name that certile knows");
    if (std::find(items.begin(), items.end(), *item) == items.end()) items.push_back(*item);
  }
  if (items.empty()) return invalid("is empty");
  return items;
}

std::optional<std::int64_t> limit(std::int64_t value) {
  if (value == 0) return std::nullopt;
  return value;
}

}  // namespace

certile_plugin known_part(const certile_plugin& table) noexcept {
  certile_plugin known{};
  std::memcpy(&known, &table, std::min<std::size_t>(table.struct_size, sizeof known));
  return known;
}

Result<Description> read_claim(const certile_plugin& table, std::string_view origin) {
  const auto invalid = [origin](const std::string& what) {
    return Error{Error::Code::io, std::string(origin) + ": the plugin's table is not usable: " + what +
                                      "; correct what certile_plugin_open fills in"};
  };
  if (table.struct_size < required_size)
    return invalid("struct_size is " + std::to_string(table.struct_size) + " where " +
                   std::to_string(required_size) + " bytes are needed");
  if (table.run == nullptr) return invalid("run is missing");
  if (table.destroy == nullptr) return invalid("destroy is missing");

  Description claim;
  const auto name = bounded_text(table.name, longest_name);
  const auto version = bounded_text(table.version, longest_name);
  const std::string within = " is no text of 1 to " + std::to_string(longest_name) + " characters";
  if (!name || name->empty()) return invalid("name" + within);
  if (!version || version->empty()) return invalid("version" + within);
  claim.name = *name;
  claim.version = *version;

  auto definitions = read_list(table.operators, "operators", definition_named);
  if (!definitions) return invalid(definitions.error().what);
  auto types = read_list(table.types, "types", element_type_named);
  if (!types) return invalid(types.error().what);
  auto repeats_types = read_list(table.repeats_types, "repeats_types", element_type_named);
  if (!repeats_types) return invalid(repeats_types.error().what);
  claim.definitions = *std::move(definitions);
  claim.types = *std::move(types);
  claim.repeats_types = *std::move(repeats_types);

  if (table.max_rank < 0 || table.max_elements < 0 || table.max_bytes < 0)
    return invalid("a limit is negative");
  constexpr std::int64_t widest = std::numeric_limits<int>::max();
  if (const auto rank = limit(table.max_rank)) claim.max_rank = static_cast<int>(std::min(*rank, widest));
  claim.max_elements = limit(table.max_elements);
  claim.max_bytes = limit(table.max_bytes);
  claim.infers = table.infer != nullptr;
  return claim;
}

}  // namespace certile
