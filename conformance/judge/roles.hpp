#pragma once
#include <cstdint>

#include "conformance/judge/case_traits.hpp"
#include "reference/spec/role.hpp"

namespace certile {

// What a pass must have shown to prove a clause.
enum class Proof : std::uint8_t {
  shape,     // the inferred shape
  call,      // that the call was answered as it should be
  run,       // what `run` did, also where the output is empty
  elements,  // elements at their places
};

// When a case that gets an answer exercises the clauses with a role, and what a pass of it proves.
struct RoleRule {
  Proof proof;
  bool (*applies)(const CaseTraits& traits);
};

// Returns the rule of a role.  Clauses whose rule never applies are exercised by refusals, or by the door
// through which an implementation is reached.
const RoleRule& rule_of(Role role) noexcept;

}  // namespace certile
