#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/plugin/claim.hpp"

namespace certile::backends {

// One word of a claim, by its key in the worker protocol's answer to hello.
struct ClaimWord {
  enum class Kind {
    text,
    names,  // with a space between two
    limit,  // a number; 0: none
    flag,   // yes or no
  };
  std::string_view key;
  Kind kind;
  std::string word;
};

// Returns the claim in words, in the order of records: name version operators types repeats_types max_rank
// max_elements max_bytes infer.
std::vector<ClaimWord> claim_words(const Claim& claim);

// The reason why words are no claim.
struct ClaimFault {
  enum class Kind { no_word, unknown_name, no_number } kind;
  std::string_view key;
  std::string word = {};  // the name, or what is no number of 0 or more
};

// Reads a claim from its words: `word_of` returns the word of a key, or nothing if there is none.  A limit
// may be missing.
using WordOf = std::function<std::optional<std::string>(const ClaimWord& key)>;
std::variant<Claim, ClaimFault> claim_from(const WordOf& word_of);

// Returns a number of 0 or more; nothing if the word is not one.
std::optional<std::int64_t> count_in(std::string_view word) noexcept;

// Returns the key of the first list of names that is empty; empty if none is.
std::string_view empty_list(const Claim& claim) noexcept;

}  // namespace certile::backends
