#pragma once
#include <cstdint>
#include <limits>
#include <optional>

#include "reference/spec/role.hpp"
#include "reference/values/definition_id.hpp"
#include "reference/values/type_set.hpp"

namespace certile {

// What a definition says about the calls that one rule covers.
enum class Says : std::uint8_t {
  allowed,
  as_zero,  // negative repeats count as 0
  refused,
  unspecified,  // the text is silent and we do not choose: recorded, never judged
};

// The element types of one operand.  A type in neither set is refused.
struct Types {
  TypeSet allowed;
  TypeSet unspecified = {};
  TypeSet required = {};       // a backend of the definition must have them
  bool data_type_too = false;  // the data's own type is allowed as well: tiles and axis of onnx-tile-1

  constexpr Says says(ElementType type, ElementType data_type) const noexcept {
    if (allowed.contains(type) || (data_type_too && type == data_type)) return Says::allowed;
    return unspecified.contains(type) ? Says::unspecified : Says::refused;
  }
};

// How many repeats a call has.
enum class Length : std::uint8_t {
  as_rank,  // one for each dimension
  any,      // the shorter of dimensions and repeats gets ones in front
};

// The rules of one published definition of Tile.  Each row of definitions.inc has one in
// definitions/NAME.cpp, where the sources of the rules are cited; promote() applies them.
struct Definition {
  Types data, repeats;                // repeats: of tiles and axis as well
  Says repeats_form = Says::refused;  // of repeats that are no vector, or of more tiles than one
  Length length = Length::as_rank;
  Says negative = Says::refused;
  std::optional<Says> negative_on_empty = {};  // on an axis of size 0, where it differs
  int required_rank = -1;         // data of this rank and below must be accepted, whatever is claimed
  bool strings_are_utf8 = false;  // other strings are unspecified
  bool contract_is_ours =
      false;  // the text contradicts CT-BITS and CT-ALIAS: they count at the level full alone
};

// Returns the rules of a definition.
const Definition& rules_of(DefinitionId definition) noexcept;

}  // namespace certile
