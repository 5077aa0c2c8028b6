#include "backends/plugin/table_claim.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "backends/plugin/claim_words.hpp"

namespace certile::backends {
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

std::optional<std::string> name_in(const char* text) {
  auto name = bounded_text(text, longest_name);
  return name && name->empty() ? std::nullopt : name;
}

std::optional<std::string> word_of(const certile_plugin& table, std::string_view key) {
  if (key == "name") return name_in(table.name);
  if (key == "version") return name_in(table.version);
  if (key == "operators") return bounded_text(table.operators, longest_list);
  if (key == "types") return bounded_text(table.types, longest_list);
  if (key == "repeats_types") return bounded_text(table.repeats_types, longest_list);
  if (key == "max_rank") return std::to_string(table.max_rank);
  if (key == "max_elements") return std::to_string(table.max_elements);
  if (key == "max_bytes") return std::to_string(table.max_bytes);
  return table.infer != nullptr ? "yes" : "no";
}

std::string sentence(const ClaimFault& fault) {
  const std::string key(fault.key);
  switch (fault.kind) {
    case ClaimFault::Kind::unknown_name:
      return key + " holds '" + fault.word + "', which is no name that certile knows";
    case ClaimFault::Kind::no_number:
      return "a limit is negative";
    case ClaimFault::Kind::no_word:
      break;
  }
  if (key == "name" || key == "version")
    return key + " is no text of 1 to " + std::to_string(longest_name) + " characters";
  return key + " is no text of at most " + std::to_string(longest_list) + " characters";
}

}  // namespace

certile_plugin known_part(const certile_plugin& table) noexcept {
  certile_plugin known{};
  std::memcpy(&known, &table, std::min<std::size_t>(table.struct_size, sizeof known));
  return known;
}

Result<Claim> read_claim(const certile_plugin& table, std::string_view origin) {
  const auto invalid = [origin](const std::string& what) {
    return Error{Error::Code::io, std::string(origin) + ": the plugin's table is not usable: " + what +
                                      "; correct what certile_plugin_open fills in"};
  };
  if (table.struct_size < required_size)
    return invalid("struct_size is " + std::to_string(table.struct_size) + " where " +
                   std::to_string(required_size) + " bytes are needed");
  if (table.run == nullptr) return invalid("run is missing");
  if (table.destroy == nullptr) return invalid("destroy is missing");
  auto read = claim_from([&table](const ClaimWord& each) { return word_of(table, each.key); });
  if (const auto* fault = std::get_if<ClaimFault>(&read)) return invalid(sentence(*fault));
  auto& claim = std::get<Claim>(read);
  if (const auto key = empty_list(claim); !key.empty()) return invalid(std::string(key) + " is empty");
  return std::move(claim);
}

}  // namespace certile::backends
