#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "backends/plugin/backend.hpp"
#include "conformance/plan/tiers/draft.hpp"
#include "conformance/plan/tiers/random.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile {

// A case with what it was made from, so that simpler ones can be made.
struct Specimen {
  std::size_t scope = 0;  // of the definitions that are claimed
  Draft draft;
  Case question;
};
// The literal: how a counterexample is shown.
void showValue(const Specimen& specimen, std::ostream& out);

// The definitions of a claim, in the order of reports: where cases come from.
class Specimens {
 public:
  explicit Specimens(const Description& claim);

  bool empty() const noexcept { return scopes_.empty(); }

  // A case anywhere in the claim, refused ones and all placements among them.  The larger `size`, the larger
  // its output may be: 100 is some 40 KiB.
  Specimen draw(Random& random, int size) const;

  // Cases one step simpler, the most telling first: without placement, an axis less, another type, an earlier
  // definition, smaller numbers.  None is simpler than itself, however many steps are taken.
  std::vector<Specimen> simpler(const Specimen& specimen) const;

 private:
  std::vector<Scope> scopes_;
};

// A claim of everything that the definitions' texts have.
Description claim_of_everything();

}  // namespace certile
