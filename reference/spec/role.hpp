#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace certile {

// The subjects of clauses.  Code asks a page for the clause that has a role; ids are for pages, corpora and
// records.
enum class Role : std::uint8_t {
  none,
  // What a call gives.
  values,             // which element of the data is at each place of the output
  tiling,             // that a call without anything special has an answer
  factors,            // which repeat belongs to which axis
  output_rank,        // how many axes the output has
  output_type,        // that the output has the data's element type
  dimension_product,  // an output dimension is the data's dimension times the repeat
  zero_shape,         // the same where the repeat is 0
  layout,             // where packed elements are in their bytes
  // What a call may have.
  any_shape,        // data of any shape
  high_rank,        // data of more than four axes
  required_rank,    // data of a rank that the definition requires
  element_types,    // the element types of the data
  more_types,       // element types that the definition allows and does not require
  repeats_input,    // that there is a repeat
  repeats_types,    // the element types of repeats, or of tiles and axis
  mixed_types,      // tiles and axis of another type than the data
  repeats_form,     // the rank of repeats, or how many elements tiles and axis have
  whole_number,     // tiles and axis are whole numbers
  length,           // how many repeats there are
  no_broadcast,     // that shape and repeats are not promoted
  axis,             // along which axis is repeated
  axis_range,       // that the data has this axis
  negative_axis,    // an axis counted from the back
  promote_data,     // fewer axes than repeats
  promote_repeats,  // fewer repeats than axes
  scalar,           // data of rank 0
  empty_data,       // data without elements
  empty_repeats,    // no repeats
  zero,             // a repeat of 0
  negative,         // a repeat below 0
  overflow,         // a dimension that is too large
  count_overflow,   // a number of elements that is too large
  strings,          // which strings are text
  excluded,         // that calls are refused that the text does not have
  // The contract.
  bits,     // elements keep their bits
  write,    // every byte of the output is written
  bounds,   // nothing outside is touched
  state,    // the caller's state is left as it was
  input,    // the inputs are left as they were
  alias,    // the output is a copy
  steady,   // the same call gives the same bytes
  place,    // buffers may be anywhere
  threads,  // calls may be concurrent
  refuse,   // a refusal is a status
  infer,    // the inferred shape is the produced one
  claim,    // a claim is kept
  self,     // an implementation computes by itself
};

// Returns "repeats-types", as a page spells it.
std::string_view name(Role role) noexcept;
std::optional<Role> role_named(std::string_view name) noexcept;

}  // namespace certile
