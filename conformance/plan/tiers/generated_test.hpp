#pragma once
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "conformance/plan/everything_test.hpp"
#include "conformance/plan/tiers/generators.hpp"
#include "reference/values/element_text.hpp"

namespace certile::conformance {

// Takes the cases out of a plan.
inline std::vector<Case> questions_of(Cases&& cases) {
  std::vector<Case> questions;
  for (PlannedCase& planned : std::move(cases).take())
    questions.push_back(planned.question());
  return questions;
}

// Returns the cases that a generator adds for the definition within the claim.
inline std::vector<Case> generated(DefinitionId definition, const std::function<void(Sink&)>& generate,
                                   const Claim& claim = claim_of_everything()) {
  Cases cases;
  const Scope scope(definition, claim);
  Sink sink(scope, cases);
  generate(sink);
  return questions_of(std::move(cases));
}

// Returns the values of the repeats.
inline std::vector<std::int64_t> repeats_of(const Case& question) {
  std::vector<std::int64_t> repeats;
  for (const auto& number : numbers_in(question.repeats))
    repeats.push_back(number->value);
  return repeats;
}

}  // namespace certile::conformance
