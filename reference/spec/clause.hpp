#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace certile {

// The subject of a clause.  Code finds clauses by their roles; ids are for pages, corpora and records.
enum class Role : std::uint8_t {
  none,
  // Properties of the answer.
  values,             // the element of the data at each place of the output
  tiling,             // a call without special features has an answer
  factors,            // the axis that each repeat belongs to
  output_rank,        // the number of axes of the output
  output_type,        // the output has the data's element type
  dimension_product,  // an output dimension is the data's dimension times the repeat
  zero_shape,         // the same if the repeat is 0
  layout,             // the places of packed elements in their bytes
  // Properties of the call.
  any_shape,        // data of any shape
  high_rank,        // data of more than four axes
  required_rank,    // data of a rank that the definition requires
  element_types,    // the element types of the data
  more_types,       // element types that the definition allows but does not require
  repeats_input,    // there is a repeat
  repeats_types,    // the element types of repeats, or of tiles and axis
  mixed_types,      // tiles and axis of another type than the data's
  repeats_form,     // the rank of repeats, or the number of elements of tiles and axis
  whole_number,     // tiles and axis are whole numbers
  length,           // the number of repeats
  no_broadcast,     // shape and repeats are not promoted
  axis,             // the axis along which the data is repeated
  axis_range,       // the data has this axis
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
  strings,          // the strings that are text
  excluded,         // calls that the text does not have are refused
  // The contract.
  bits,     // elements keep their bits
  write,    // every byte of the output is written
  bounds,   // nothing outside the buffers is touched
  state,    // the caller's state is unchanged
  input,    // the inputs are unchanged
  alias,    // the output is a copy
  steady,   // the same call gives the same bytes
  place,    // buffers may be anywhere
  threads,  // calls may be concurrent
  leak,     // calls keep nothing
  returns,  // a call with an answer comes back
  refuse,   // a refusal is a status
  infer,    // the inferred shape is the produced one
  claim,    // a claim is kept
  self,     // an implementation computes by itself; the last role, so that roles can be counted
};

// Returns "repeats-types", as a page spells it.
std::string_view name(Role role) noexcept;
std::optional<Role> role_named(std::string_view name) noexcept;

// One checkable sentence of a definition's text, or of the contract that all definitions share.
struct Clause {
  // The origin of a clause.  `ours`: a rule that is needed, but that the text omits or gets wrong.
  // `exclusion`: calls that the text does not have must be refused.  `contract`: our rule for all
  // definitions.
  enum class Kind : std::uint8_t { normative, example, informative, ours, exclusion, contract };

  std::string id;    // "OV-T1-R1": given once, never reused, never renumbered
  std::string name;  // "promote-data": for readers
  Kind kind = Kind::normative;
  std::vector<Role> roles;  // the clause's subjects; cases with the first one exercise the clause
  bool testable = true;
  std::string untestable_because;     // set if not testable: "defective text", "nothing to run", …
  std::string source;                 // document, section, sentence
  std::string text;                   // our words
  std::vector<std::string> examples;  // corpus lines: LITERAL => expectation

  // Returns the role whose cases exercise the clause; none if cases like its examples do.
  Role subject() const noexcept { return roles.empty() ? Role::none : roles.front(); }
};

// Returns "normative", "example", "informative", "ours", "exclusion" or "contract".
std::string_view name(Clause::Kind kind) noexcept;
// Reads the kind of that name into `kind`.  Returns false if there is none.
bool read_kind(std::string_view name, Clause::Kind& kind) noexcept;

// Returns true if a failure breaks the level *text*: for normative, example and contract clauses.
bool counts_at_text(Clause::Kind kind) noexcept;

}  // namespace certile
