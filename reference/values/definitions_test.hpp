#pragma once
#include "reference/values/definition_id.hpp"

// The definitions by name, for tests alone: production code has no case for one of them.
namespace certile {

#define DEFINITION(identifier, name, prefix, number, form, strings) \
  inline const DefinitionId identifier = definition_named(name).value();
#include "reference/values/definitions.inc"
#undef DEFINITION

}  // namespace certile
