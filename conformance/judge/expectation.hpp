#pragma once
#include <string>
#include <variant>
#include <vector>

#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// An expected answer.
struct Answer {
  Shape shape;
  std::vector<Tensor> tensors;  // one per concurrent call; none if only the shape is asked for, or in pieces
  bool is_in_pieces = false;    // the elements are too many to be held: Pieces has them
};
struct Reject {
  ClauseId clause;  // the clause that refuses
  Role role;        // the subject of the clause that refuses
  std::string why;
};
struct Unspecified {  // not refused, but the texts leave the answer open: recorded, never judged
  ClauseId clause;
  Shape shape;  // by Tile's rule, so that a backend without `infer` can be called
};
using Expectation = std::variant<Answer, Reject, Unspecified>;

// Asks both oracles whether the definition refuses the case, for the shape of the answer, and for the
// elements of every concurrent call if the case has any.  A refusal comes first, because it does not depend
// on anything that the texts leave open; then open questions, and then the answer.  Errors: out_of_memory
// (the answer is too large for this machine), backend_failed (the oracles disagree: a fault of certile).
Result<Expectation> expect(const Case& question);
// Does the same, and adds the data of all concurrent calls to `filled` if it had to fill them: for the
// request, because filling takes as long as an oracle.
Result<Expectation> expect(const Case& question, std::vector<Tensor>& filled);

// Does the same without elements, whatever the placement, so the answer may be far too large for any memory.
// Errors: backend_failed.
Result<Expectation> expect_shape(const Case& question);

// Asks both oracles for all elements of a case that has an answer, even if it is usually taken in pieces.
// Errors: as expect().
Result<Answer> whole_answer(const Case& question);

// Returns the bytes that the outputs of all concurrent calls take at most, estimated without an oracle.  The
// characters of strings are not counted.
double estimated_bytes(const Case& question);
// Returns true if these are surely less than 16 MiB.
bool is_small(const Case& question);

// Returns true if elements are asked for, and may take more than a small answer does.
bool may_have_a_large_answer(const Case& question);

}  // namespace certile::conformance
