#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/role.hpp"

namespace certile {

// One checkable sentence of a definition's text, or of the contract that all definitions share.
struct Clause {
  // ours: needed, but not written or written wrongly.  exclusion: that calls are refused which the text does
  // not know.  contract: a CT clause, which is ours for every definition.
  enum class Kind : std::uint8_t { normative, example, informative, ours, exclusion, contract };

  std::string id;    // "OV-T1-R1": given once, never reused, never renumbered
  std::string name;  // "promote-data": for people
  Kind kind = Kind::normative;
  std::vector<Role>
      roles;  // its subjects; the first one says which cases exercise the clause, or else its examples do
  bool testable = true;
  std::string untestable_because;     // set when it is not testable: "defective text", "nothing to run", …
  std::string source;                 // document, section, sentence
  std::string text;                   // our words
  std::vector<std::string> examples;  // corpus lines: LITERAL => expectation

  // Returns the role that says which cases exercise the clause; none where its examples do.
  Role subject() const noexcept { return roles.empty() ? Role::none : roles.front(); }
};

// Returns "normative", "example", "informative", "ours", "exclusion" or "contract".
std::string_view name(Clause::Kind kind) noexcept;
// Returns the kind of that name; false where there is none.
bool read_kind(std::string_view name, Clause::Kind& kind) noexcept;

// Returns true where a failure breaks the level *text*: normative clauses, examples and the contract.
bool counts_at_text(Clause::Kind kind) noexcept;

}  // namespace certile
