#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/spec/pages.hpp"
#include "reference/values/call.hpp"
#include "reference/values/result.hpp"

namespace certile {

// What the shape rules make of a call: three vectors of one length, the rank of the output.
struct Promoted {
  Shape data;                         // the data's shape, with leading ones where the definition promotes
  std::vector<std::int64_t> repeats;  // never negative
  Shape output;                       // data[i] * repeats[i]
};

// A call that the definition refuses.
struct Refusal {
  ClauseId clause;  // the one that refuses
  Role role;        // the subject of the rule that refuses
  std::string why;
};

// A call that the texts leave open: no answer to it is wrong.
struct Open {
  ClauseId clause;    // the one that leaves it open
  Promoted promoted;  // what the rules would make of it
};

using Ruling = std::variant<Promoted, Refusal, Open>;

// Applies the definition's rules to a call.  A refusal comes before what is open.  Looks at the data's type
// and shape, never at its elements, so the answer may describe a tensor far too large to exist.
Ruling promote(const Call& call);

// The same for a case; elements that are not text may leave it open.
Ruling promote(const Case& question);

// Returns the shape that data and repeats give once the shorter of them has ones in front, whatever the
// definition says of their lengths; nothing where any other rule refuses the call.
std::optional<Shape> broadcast_shape(const Call& call);

// Returns what the rules make of a call that is not refused, or null.
const Promoted* promoted(const Ruling& ruling) noexcept;

// Returns what the rules make of a case, or an error `rejected` for one that is refused or left open.
Result<Promoted> settled_tiling(const Case& question);

// Returns the shape of the output, or an error `rejected`.  Calls that are open have one.
Result<Shape> output_shape(const Call& call);
Result<Shape> output_shape(const Case& question);

}  // namespace certile
