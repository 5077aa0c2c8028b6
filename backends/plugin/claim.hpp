#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/plugin/certile_plugin.h"
#include "reference/values/definition_id.hpp"
#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"

namespace certile::backends {

// A file or a package that an implementation is made of.
struct Part {
  std::string name, version;  // no version: empty
  std::string digest;         // SHA-256, in hex
  bool operator==(const Part&) const = default;
};

// The statement of a backend about what it does: its definitions × types × repeats types, each pair cut to
// what the definition's text allows.  Beyond the limits a refusal is `unsupported`, not a failure; a wrong
// answer is a failure everywhere.  Certificates print the claim next to the result.
struct Claim {
  std::string name;     // "simd-avx2": lower case, stable, the key in reports and waivers
  std::string version;  // of the implementation, not of the wrapper
  std::vector<DefinitionId> definitions;
  TypeSet types;
  TypeSet repeats_types;
  std::optional<std::int64_t> max_rank;      // of data and output
  std::optional<std::int64_t> max_elements;  // of the output
  std::optional<std::int64_t> max_bytes;     // of the output
  bool infers = true;                        // false: a bare kernel without shape inference
  std::vector<Part> parts = {};              // of a worker: what it reports, besides the files of its command
  bool operator==(const Claim&) const = default;
};

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

// The bytes of a table that a plugin must fill: everything up to `destroy`.  Fields appended later are
// optional.
inline constexpr std::size_t required_size =
    offsetof(certile_plugin, destroy) + sizeof(certile_plugin::destroy);

// Returns the claim in a plugin's table, after checking it.  `origin` names the plugin in the message of an
// Error (always Code::io).  Names and versions are passed on unchanged, control characters included, so the
// caller must escape them before printing.  Compare the major version first.
Result<Claim> read_claim(const certile_plugin& table, std::string_view origin);

// Returns the part of the table that both sides know; anything past the plugin's own size is zero.
certile_plugin known_part(const certile_plugin& table) noexcept;

}  // namespace certile::backends
