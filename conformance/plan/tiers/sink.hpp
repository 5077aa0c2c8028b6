#pragma once
#include <utility>

#include "conformance/plan/tiers/cases.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile::conformance {

// A receiver of the cases that the generators of one definition make.
class Sink {
 public:
  Sink(const Scope& scope, Cases& cases) : scope_(scope), cases_(cases) {}

  const Scope& scope() const noexcept { return scope_; }
  // Sets the generator of the next cases.
  void begin(Generator generator) noexcept { cases_.begin(generator); }
  // Returns the number of cases in the plan so far.
  std::size_t size() const noexcept { return cases_.size(); }

  // Adds the cases of the draft under this definition, within the claim.
  void add(const Draft& draft) {
    for (Case& question : scope_.cases_of(draft))
      cases_.add(question);
  }
  // Adds the cases of the draft, each of which tries something only after the case before it.
  void add_following(const Draft& draft) {
    for (Case& question : scope_.cases_of(draft))
      if (cases_.add(question)) cases_.mark_following();
  }
  // Adds this case, if it is within the claim's limits.
  void add(const Case& question) {
    if (scope_.within_limits(question)) cases_.add(question);
  }
  // Adds this case, which tries something only after the case before it.
  void add_following(const Case& question) {
    if (scope_.within_limits(question) && cases_.add(question)) cases_.mark_following();
  }
  // Adds this case, whatever the limits.
  void add_beyond(const Case& question) { cases_.add(question); }

 private:
  const Scope& scope_;
  Cases& cases_;
};

}  // namespace certile::conformance
