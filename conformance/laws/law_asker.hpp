#pragma once
#include <memory>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/facts/claim.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/plan/tiers/scope.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// A call that a law makes: a case, and data that may differ from its literal's.
struct LawCall {
  Case question;
  std::vector<Tensor> data;  // one per concurrent call
  Shape due;                 // the shape of the answer, by the law's own arithmetic
};

// A seam to the backend that answers the calls of laws, without an oracle.
class LawAsker {
 public:
  LawAsker(Claim claim, Door door);
  virtual ~LawAsker() = default;

  const Claim& claim() const noexcept { return claim_; }
  Door door() const noexcept { return door_; }
  // Returns the intersection of the definition's text and the claim.
  const Scope& scope(DefinitionId definition) const noexcept {
    return scopes_[static_cast<std::size_t>(definition)];
  }

  // Makes the call and returns all facts about it.  `run` is called only if the inferred shape is the
  // expected one.  Errors: io.
  virtual Result<Observation> ask(const LawCall& call) = 0;

 private:
  Claim claim_;
  Door door_;
  std::vector<Scope> scopes_;  // in the order of the enumeration
};

// A law asker that calls one backend in its isolated process, one call after the other.
class IsolatedLawAsker final : public LawAsker {
 public:
  static Result<std::unique_ptr<IsolatedLawAsker>> open(const IsolateOptions& options);

  Result<Observation> ask(const LawCall& call) override;
  void set_time_limit(int milliseconds);
  // Starts a fresh process, without history.
  Result<Done> fresh() { return asker_->restart(); }

 private:
  IsolatedLawAsker(std::unique_ptr<Asker> asker, int time_limit);

  std::unique_ptr<Asker> asker_;
  int time_limit_;
};

// Returns a case whose literal gives the call's data: the call's own case, if its fill makes that data.
Case spelled_out(const LawCall& call);

// Judges the answer to a spelled-out call by the oracles.  Errors: as expect().
Result<Record> judged_by_oracles(const Case& call, const Observation& seen, const Claim& claim, Door door);

}  // namespace certile::conformance
