#pragma once
#include <memory>
#include <vector>

#include "backends/plugin/backend.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/tiers/scope.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// A call that a law makes: a case, and data that need not be what its literal says.
struct LawCall {
  Case question;
  std::vector<Tensor> data;  // one per concurrent call
  Shape due;                 // the shape of the answer, by the law's own arithmetic
};

// Whoever answers the calls of laws.  No oracle is asked.
class LawAsker {
 public:
  explicit LawAsker(Description claim);
  virtual ~LawAsker() = default;

  const Description& claim() const noexcept { return claim_; }
  // What the definition's text and the claim have in common.
  const Scope& scope(DefinitionId definition) const noexcept {
    return scopes_[static_cast<std::size_t>(definition)];
  }

  // What came of the call.  `run` is called only where the shape that is inferred is the one that is due.
  // Errors: io.
  virtual Result<Observation> ask(const LawCall& call) = 0;

 private:
  Description claim_;
  std::vector<Scope> scopes_;  // in the order of the enumeration
};

// Asks one backend in its isolated process, one call after the other.
class IsolatedLawAsker final : public LawAsker {
 public:
  static Result<std::unique_ptr<IsolatedLawAsker>> open(const IsolateOptions& options);

  Result<Observation> ask(const LawCall& call) override;
  void set_time_limit(int milliseconds);
  // A fresh process, with no history.
  Result<Done> fresh() { return asker_->restart(); }

 private:
  IsolatedLawAsker(std::unique_ptr<Asker> asker, int time_limit);

  std::unique_ptr<Asker> asker_;
  int time_limit_;
};

// What the oracles make of a call and its answer.  The record's literal spells the data out where the call's
// own does not say it.  Errors: as expect().
Result<Record> judged_by_oracles(const LawCall& call, const Observation& seen, const Description& claim);

}  // namespace certile
