#include "conformance/judge/levels.hpp"

#include "reference/oracle/definition.hpp"

namespace certile::conformance {

bool counts_at_text(DefinitionId definition, ClauseId clause) {
  if (clause == ClauseId::none || !counts_at_text(clause_of(clause).kind)) return false;
  const bool is_contradicted = has_role(clause, Role::bits) || has_role(clause, Role::alias);
  return !(is_contradicted && oracle::rules_of(definition).contract_is_ours);
}

}  // namespace certile::conformance
