#include "reference/values/definition_id.hpp"

#include <algorithm>
#include <cstddef>

namespace certile {
namespace {

struct DefinitionRow {
  std::string_view name, prefix;
  CallForm form;
  bool fills_are_utf8;
};

constexpr bool any_bytes = false, utf8 = true;

constexpr DefinitionRow definition_rows[] = {
#define DEFINITION(identifier, name, prefix, number, form, strings) \
  DefinitionRow{name, prefix, CallForm::form, strings},
#include "reference/values/definitions.inc"
#undef DEFINITION
};

const DefinitionRow& row(DefinitionId definition) noexcept {
  return definition_rows[static_cast<std::size_t>(definition)];
}

}  // namespace

const std::vector<DefinitionId>& all_definitions() {
  static const auto all = [] {
    std::vector<DefinitionId> ids;
    for (std::size_t index = 0; index < std::size(definition_rows); ++index)
      ids.push_back(static_cast<DefinitionId>(index));
    return ids;
  }();
  return all;
}

std::string_view name(DefinitionId definition) noexcept {
  return row(definition).name;
}

std::optional<DefinitionId> definition_named(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(definition_rows, name, &DefinitionRow::name);
  if (found == std::end(definition_rows)) return std::nullopt;
  return static_cast<DefinitionId>(found - std::begin(definition_rows));
}

std::string_view clause_prefix(DefinitionId definition) noexcept {
  return row(definition).prefix;
}

CallForm call_form(DefinitionId definition) noexcept {
  return row(definition).form;
}

bool fills_are_utf8(DefinitionId definition) noexcept {
  return row(definition).fills_are_utf8;
}

}  // namespace certile
