#include "backends/plugin/claim.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace certile::backends {

namespace {

using Kind = ClaimWord::Kind;

template <class Values>
std::string names(const Values& values) {
  std::string text;
  for (const auto value : values)
    text += (text.empty() ? "" : " ") + std::string(name(value));
  return text;
}

// Adds the value of `named` for each name of the list; returns the first name without a value.
template <class Named, class Add>
std::optional<std::string> add_names(std::string_view list, const Named& named, const Add& add) {
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.empty()) continue;
    const auto item = named(word);
    if (!item) return std::string(word.substr(0, 40));
    add(*item);
  }
  return std::nullopt;
}

// Reads the word of one key into the claim; returns the invalid part of the word.
std::optional<std::string> read_word(const ClaimWord& word, Claim& claim) {
  const std::string_view key = word.key;
  if (key == "name") {
    claim.name = word.word;
  } else if (key == "version") {
    claim.version = word.word;
  } else if (key == "operators") {
    return add_names(word.word, definition_named, [&](DefinitionId each) {
      if (std::ranges::find(claim.definitions, each) == claim.definitions.end())
        claim.definitions.push_back(each);
    });
  } else if (word.kind == Kind::names) {
    TypeSet& types = key == "types" ? claim.types : claim.repeats_types;
    return add_names(word.word, element_type_named, [&](ElementType each) { types.insert(each); });
  } else if (word.kind == Kind::limit) {
    const auto value = count_in(word.word);
    if (!value) return word.word.substr(0, 40);
    auto& limit = key == "max_rank"       ? claim.max_rank
                  : key == "max_elements" ? claim.max_elements
                                          : claim.max_bytes;
    if (*value > 0) limit = value;
  } else {
    claim.infers = word.word == "yes";
    if (!claim.infers && word.word != "no") return word.word;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ClaimWord> claim_words(const Claim& claim) {
  return {{"name", Kind::text, claim.name},
          {"version", Kind::text, claim.version},
          {"operators", Kind::names, names(claim.definitions)},
          {"types", Kind::names, names(claim.types)},
          {"repeats_types", Kind::names, names(claim.repeats_types)},
          {"max_rank", Kind::limit, std::to_string(claim.max_rank.value_or(0))},
          {"max_elements", Kind::limit, std::to_string(claim.max_elements.value_or(0))},
          {"max_bytes", Kind::limit, std::to_string(claim.max_bytes.value_or(0))},
          {"infer", Kind::flag, claim.infers ? "yes" : "no"}};
}

std::variant<Claim, ClaimFault> claim_from(const WordOf& word_of) {
  Claim claim;
  for (ClaimWord& each : claim_words({})) {
    std::optional<std::string> word = word_of(each);
    if (!word && each.kind == Kind::limit) continue;
    if (!word) return ClaimFault{ClaimFault::Kind::no_word, each.key};
    each.word = *std::move(word);
    if (auto wrong = read_word(each, claim))
      return each.kind == Kind::flag    ? ClaimFault{ClaimFault::Kind::no_word, each.key}
             : each.kind == Kind::limit ? ClaimFault{ClaimFault::Kind::no_number, each.key, *wrong}
                                        : ClaimFault{ClaimFault::Kind::unknown_name, each.key, *wrong};
  }
  return claim;
}

std::optional<std::int64_t> count_in(std::string_view word) noexcept {
  std::int64_t value = -1;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ptr != word.data() + word.size() || value < 0) return std::nullopt;
  return value;
}

std::string_view empty_list(const Claim& claim) noexcept {
  if (claim.definitions.empty()) return "operators";
  if (claim.types.empty()) return "types";
  return claim.repeats_types.empty() ? "repeats_types" : "";
}

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
