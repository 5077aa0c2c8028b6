#pragma once
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "reference/oracle/promote.hpp"
#include "reference/spec/clause.hpp"
#include "reference/values/definition_id.hpp"
#include "reference/values/element_type.hpp"

namespace certile::oracle {

// A definition's answer to the calls that one rule covers.
enum class Says : std::uint8_t {
  allowed,
  as_zero,  // negative repeats count as 0
  refused,
  unspecified,  // the text is silent and we do not choose: recorded, never judged
};

// The element types of one operand.  A type in neither `allowed` nor `unspecified` is refused.
struct Types {
  TypeSet allowed;
  TypeSet unspecified = {};
  TypeSet required = {};       // types that every backend of the definition must support
  bool data_type_too = false;  // the data's type is allowed as well: tiles and axis of onnx-tile-1

  constexpr Says says(ElementType type, ElementType data_type) const noexcept {
    if (allowed.contains(type) || (data_type_too && type == data_type)) return Says::allowed;
    return unspecified.contains(type) ? Says::unspecified : Says::refused;
  }
};

// The number of repeats that a call must have.
enum class Length : std::uint8_t {
  as_rank,  // one for each dimension of the data
  any,      // any number: the shorter of shape and repeats is padded with leading ones
};

// The rules of one published definition of Tile.  Each row of definitions.inc has a Definition in
// definitions/NAME.cpp, which cites the sources of the rules; promote() applies the rules.
struct Definition {
  Types data, repeats;                // `repeats` also covers tiles and axis
  Says repeats_form = Says::refused;  // for repeats that are not a vector, or more than one tiles
  Length length = Length::as_rank;
  Says negative = Says::refused;
  std::optional<Says> negative_on_empty = {};  // for an axis of size 0, if the answer differs from `negative`
  int required_rank = -1;         // data up to this rank must be accepted, whatever the backend claims
  bool strings_are_utf8 = false;  // strings that are not UTF-8 are unspecified
  bool contract_is_ours = false;  // the text contradicts CT-BITS and CT-ALIAS, which count only at level full
};

// Returns the rules of a definition.
const Definition& rules_of(DefinitionId definition) noexcept;

// The results of a definition's rules for one call, in the order in which the rules are applied.  The first
// refusal decides; if no rule refuses, the first rule that leaves the call open decides.
class RuleLog {
 public:
  explicit RuleLog(DefinitionId definition) noexcept : definition_(definition) {}

  // Records a rule's answer to the call.  Returns false once the call is refused.  The clause is the one with
  // the first of the roles that any clause has.
  bool allow_if(Says says, std::initializer_list<Role> roles, const std::string& why) {
    if (says == Says::refused) refusal_ = Refusal{clause_with(definition_, roles), *roles.begin(), why};
    if (says == Says::unspecified && open_ == ClauseId::none) open_ = clause_with(definition_, roles);
    return !refusal_;
  }
  // Refuses the call unless `holds` is true.
  bool require(bool holds, std::initializer_list<Role> roles, const std::string& why) {
    return allow_if(holds ? Says::allowed : Says::refused, roles, why);
  }

  bool refused() const noexcept { return refusal_.has_value(); }

  Ruling ruling(Promoted promoted) && {
    if (refusal_) return *std::move(refusal_);
    if (open_ != ClauseId::none) return Open{open_, std::move(promoted)};
    return promoted;
  }

 private:
  DefinitionId definition_;
  std::optional<Refusal> refusal_;
  ClauseId open_ = ClauseId::none;
};

}  // namespace certile::oracle
