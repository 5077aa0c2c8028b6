#include "backends/plugin/claim_words.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

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

}  // namespace certile::backends
