#pragma once
#include <string>
#include <variant>
#include <vector>

#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// What should come out.
struct Answer {
  Shape shape;
  std::vector<Tensor> tensors;  // one per concurrent call; none where only the shape is asked
};
struct Reject {
  ClauseId clause;  // the one that refuses
  Role role;        // the subject of the rule that refuses
  std::string why;
};
struct Unspecified {  // not refused, and the texts leave it open: recorded, never judged
  ClauseId clause;
  Shape shape;  // what Tile's rule would give, so that a backend without `infer` can be called
};
using Expectation = std::variant<Answer, Reject, Unspecified>;

// Asks both oracles: whether the definition refuses the case, for the shape of the answer, and, where
// elements are asked for, for those of every concurrent call.  A refusal comes first, for it depends on
// nothing that the texts leave open; then what they leave open, and then the answer. Errors: out_of_memory
// (the answer is too large for this machine), backend_failed (the oracles disagree: a fault of certile).
Result<Expectation> expect(const Case& question);

// The same without elements, whatever the placement says, so the shape may be of an answer far too large to
// exist.  Errors: backend_failed.
Result<Expectation> expect_shape(const Case& question);

// Returns true where the outputs of all concurrent calls together surely take less than 16 MiB, by an
// estimate that asks no oracle. The characters of strings are not counted.
bool is_small(const Case& question);

}  // namespace certile
