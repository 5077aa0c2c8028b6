#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "reference/oracle/definition.hpp"
#include "reference/oracle/promote.hpp"

namespace certile::oracle {

// The results of a definition's rules for one call, in the order in which the rules are applied.  The first
// refusal decides; if no rule refuses, the first rule that leaves the call open decides.
class Docket {
 public:
  explicit Docket(DefinitionId definition) noexcept : definition_(definition) {}

  // Records a rule's answer to the call.  Returns false once the call is refused.  The clause is the one with
  // the first of the roles that any clause has.
  bool admits(Says says, std::initializer_list<Role> roles, const std::string& why) {
    if (says == Says::refused) refusal_ = Refusal{clause_with(definition_, roles), *roles.begin(), why};
    if (says == Says::unspecified && open_ == ClauseId::none) open_ = clause_with(definition_, roles);
    return !refusal_;
  }
  // Refuses the call unless `holds` is true.
  bool needs(bool holds, std::initializer_list<Role> roles, const std::string& why) {
    return admits(holds ? Says::allowed : Says::refused, roles, why);
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
