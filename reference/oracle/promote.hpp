#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::oracle {

// The result of the shape rules for a call: three vectors, whose length is the rank of the output.
struct Promoted {
  Shape data;                         // the data's shape, with leading ones if the definition promotes it
  std::vector<std::int64_t> repeats;  // never negative
  Shape output;                       // data[i] * repeats[i]
};

// A call that the definition refuses.
struct Refusal {
  ClauseId clause;  // the clause that refuses the call
  Role role;        // the subject of the rule that refuses
  std::string why;
};

// A call that the texts leave open: no answer to it is wrong.
struct Open {
  ClauseId clause;    // the clause that leaves the call open
  Promoted promoted;  // the result that the rules would give
};

using Ruling = std::variant<Promoted, Refusal, Open>;

// Applies the definition's rules to a case.  A refusal takes precedence over rules that leave the case open;
// strings that are not UTF-8 may leave it open.  Makes no elements, so the result may be too large to exist.
Ruling promote(const Case& question);

// Returns the output's shape if the shorter of data and repeats gets leading ones, whatever the definition's
// rule on their lengths; nothing if any other rule refuses the case.
std::optional<Shape> broadcast_shape(const Case& question);

// Returns the result of the shape rules, or null for a refusal.
const Promoted* promoted(const Ruling& ruling) noexcept;

// Returns the result of the shape rules, or the error `rejected` for a case that is refused or left open.
Result<Promoted> settled_tiling(const Case& question);

// Returns the shape of the output, or the error `rejected` if the case is refused.
Result<Shape> output_shape(const Case& question);

}  // namespace certile::oracle
