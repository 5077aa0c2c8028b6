#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "reference/values/call.hpp"
#include "reference/values/result.hpp"

namespace certile {

// What the shape rules make of a call: three vectors of one length, the rank of the output.
struct Promoted {
  Shape data;                         // the data's shape, with leading ones where the operator promotes
  std::vector<std::int64_t> repeats;  // never negative
  Shape output;                       // data[i] * repeats[i]
};

// Applies the operator's rules, or says `rejected` with the clause that refuses.  Looks at the data's type
// and shape, never at its elements, so the answer may describe a tensor far too large to exist.
Result<Promoted> promote(const Call& call);

// The shape of the output alone.
Result<Shape> output_shape(const Call& call);

// The clause under which the texts leave this call open, so that no answer to it is wrong; nothing for all
// others.  For calls that promote() takes: what it refuses is refused, whatever else is open.
std::optional<std::string_view> left_open(const Call& call) noexcept;

}  // namespace certile
