#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "backends/plugin/claim.hpp"
#include "conformance/plan/tiers/draft.hpp"
#include "conformance/plan/tiers/random_cases.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile::property_tests {

using conformance::Draft, conformance::Random, conformance::Scope;

// A case with its draft, from which simpler cases are made.
struct Specimen {
  std::size_t scope = 0;  // among the claimed definitions
  Draft draft;
  Case question;
};
// Prints the literal, as which a counterexample is shown.
void showValue(const Specimen& specimen, std::ostream& out);

// The definitions of a claim, in the order of reports, from which cases are drawn.
class Specimens {
 public:
  explicit Specimens(const backends::Claim& claim);

  bool empty() const noexcept { return scopes_.empty(); }

  // Draws a case anywhere in the claim, including refused cases and all placements.  A larger `size` allows
  // larger outputs: 100 means some 40 KiB.
  Specimen draw(Random& random, int size) const;

  // Returns cases one step simpler, the most telling first: without placement, with an axis less, another
  // type, an earlier definition, smaller numbers.  Repeated steps never return to a case.
  std::vector<Specimen> simpler(const Specimen& specimen) const;

 private:
  std::vector<Scope> scopes_;
};

// Returns a claim of everything that the definitions' texts have.
backends::Claim claim_of_everything();

}  // namespace certile::property_tests
