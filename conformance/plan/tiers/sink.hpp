#pragma once
#include "conformance/plan/tiers/cases.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile {

// Where the generators of one definition put what they make.
class Sink {
 public:
  Sink(const Scope& scope, Cases& cases) : scope_(scope), cases_(cases) {}

  const Scope& scope() const noexcept { return scope_; }
  // How many cases the plan has so far.
  std::size_t size() const noexcept { return cases_.size(); }

  // What the draft means for this definition, cut to the claim.
  void add(const Draft& draft) {
    for (const Case& question : scope_.cases_of(draft))
      cases_.add(to_string(question));
  }
  // This very case, if it keeps to the claim's limits.
  void add(const Case& question) {
    if (scope_.within_limits(question)) cases_.add(to_string(question));
  }
  // This very case, wherever the limits lie.
  void add_beyond(const Case& question) { cases_.add(to_string(question)); }

 private:
  const Scope& scope_;
  Cases& cases_;
};

}  // namespace certile
