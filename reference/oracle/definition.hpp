#pragma once
#include <cstdint>
#include <limits>
#include <optional>

#include "reference/spec/role.hpp"
#include "reference/values/definition_id.hpp"
#include "reference/values/type_set.hpp"

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

}  // namespace certile::oracle
