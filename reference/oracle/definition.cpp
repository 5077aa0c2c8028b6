#include "reference/oracle/definition.hpp"

#include <cstddef>

namespace certile::oracle {
namespace definitions {

#define DEFINITION(identifier, name, prefix, number, form, strings) extern const Definition identifier;
#include "reference/values/definitions.inc"
#undef DEFINITION

}  // namespace definitions

const Definition& rules_of(DefinitionId definition) noexcept {
  static constexpr const Definition* all[] = {
#define DEFINITION(identifier, name, prefix, number, form, strings) &definitions::identifier,
#include "reference/values/definitions.inc"
#undef DEFINITION
  };
  return *all[static_cast<std::size_t>(definition)];
}

}  // namespace certile::oracle
