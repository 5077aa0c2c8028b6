#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/role.hpp"

namespace certile {

// One checkable sentence of a definition's text, or of the contract that all definitions share.
struct Clause {
  // The origin of a clause.  `ours`: a rule that is needed, but that the text omits or gets wrong.
  // `exclusion`: calls that the text does not have must be refused.  `contract`: our rule for all
  // definitions.
  enum class Kind : std::uint8_t { normative, example, informative, ours, exclusion, contract };

  std::string id;    // "OV-T1-R1": given once, never reused, never renumbered
  std::string name;  // "promote-data": for readers
  Kind kind = Kind::normative;
  std::vector<Role> roles;  // the clause's subjects; cases with the first one exercise the clause
  bool testable = true;
  std::string untestable_because;     // set if not testable: "defective text", "nothing to run", …
  std::string source;                 // document, section, sentence
  std::string text;                   // our words
  std::vector<std::string> examples;  // corpus lines: LITERAL => expectation

  // Returns the role whose cases exercise the clause; none if cases like its examples do.
  Role subject() const noexcept { return roles.empty() ? Role::none : roles.front(); }
};

// Returns "normative", "example", "informative", "ours", "exclusion" or "contract".
std::string_view name(Clause::Kind kind) noexcept;
// Reads the kind of that name into `kind`.  Returns false if there is none.
bool read_kind(std::string_view name, Clause::Kind& kind) noexcept;

// Returns true if a failure breaks the level *text*: for normative, example and contract clauses.
bool counts_at_text(Clause::Kind kind) noexcept;

}  // namespace certile
