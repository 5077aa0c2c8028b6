#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "reference/spec/page_reader.hpp"
#include "reference/values/definition_id.hpp"

namespace certile {

// A clause, by its number over all pages.  Numbers are valid only inside a process; files have ids instead.
enum class ClauseId : std::uint16_t { none = 0xffff };

// Returns the pages compiled into this program: the definitions' in the order of reports, then the contract.
// The first call reads the pages; a page that cannot be read is a defect of this program and ends it with a
// message.
std::span<const Page> all_pages();

const Page& page_of(DefinitionId definition);
const Page& contract_page();

// Returns the clause of that id, or null.
const Clause* find_clause(std::string_view id);
// Returns the clause of that id, or ClauseId::none.
ClauseId clause_id(std::string_view id);

// Returns a clause; `id` must not be none.
const Clause& clause_of(ClauseId id);
// Returns the clause's id in files, "OV-T1-R1"; empty for ClauseId::none.
std::string_view text_of(ClauseId id);

// Returns the clause of the definition or of the contract with the first of these roles that any of them has,
// or ClauseId::none.
ClauseId clause_with(DefinitionId definition, std::initializer_list<Role> roles);
inline ClauseId clause_with(DefinitionId definition, Role role) {
  return clause_with(definition, {role});
}
// Returns true if the clause has the role.
bool has_role(ClauseId id, Role role);

}  // namespace certile
