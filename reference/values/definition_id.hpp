#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace certile {

// A published definition of Tile: the number of its row in definitions.inc.  Files and messages spell its
// name.
enum class DefinitionId : std::uint16_t {};

// A way in which the calls of a definition give the numbers of copies.
enum class CallForm : std::uint8_t {
  repeats_tensor,     // a tensor of repeats
  tiles_along_axis,   // one number of tiles, and the axis to repeat along
  repeats_attribute,  // a list of integers in the call, without an element type; literals spell i64
};

// Returns every definition, in the order of reports.
const std::vector<DefinitionId>& all_definitions();

// Returns "openvino-tile-1", as a literal spells it.
std::string_view name(DefinitionId definition) noexcept;
std::optional<DefinitionId> definition_named(std::string_view name) noexcept;

// Returns "OV-T1", with which the ids of its clauses begin.
std::string_view clause_prefix(DefinitionId definition) noexcept;

CallForm call_form(DefinitionId definition) noexcept;
// Returns true if the fills of strings make only UTF-8, and false if they make any bytes.
bool fills_are_utf8(DefinitionId definition) noexcept;
// Returns true if a call has one number of tiles, and the axis to repeat along.
inline bool has_axis(DefinitionId definition) noexcept {
  return call_form(definition) == CallForm::tiles_along_axis;
}

}  // namespace certile
