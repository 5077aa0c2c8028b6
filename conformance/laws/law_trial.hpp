#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/facts/claim.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/laws/tensor_algebra.hpp"
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
  LawAsker(Claim claim, Transport transport);
  virtual ~LawAsker() = default;

  const Claim& claim() const noexcept { return claim_; }
  Transport transport() const noexcept { return door_; }
  // Returns the intersection of the definition's text and the claim.
  const Scope& scope(DefinitionId definition) const noexcept {
    return scopes_[static_cast<std::size_t>(definition)];
  }

  // Makes the call and returns all facts about it.  `run` is called only if the inferred shape is the
  // expected one.  Errors: io.
  virtual Result<Observation> ask(const LawCall& call) = 0;

 private:
  Claim claim_;
  Transport door_;
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
Result<Record> judged_by_oracles(const Case& call, const Observation& seen, const Claim& claim,
                                 Transport transport);

// The result of a law on a case.
enum class LawWord {
  holds,
  broken,
  does_not_apply,  // the law says nothing about the case, or its calls are beyond the claim
};

// A trial of one law on one case of one backend: makes the law's calls, and keeps the findings.  A missing
// answer is returned as nothing, after its consequence for the law has been recorded.
class LawTrial {
 public:
  LawTrial(const Case& question, Tiling tiling, Shape output, LawAsker& asker);

  const Case& question() const noexcept { return question_; }
  const Scope& scope() const noexcept { return asker_.scope(question_.definition); }
  const Tiling& tiling() const noexcept { return tiling_; }
  const Shape& output_shape() const noexcept { return output_; }
  std::size_t rank() const noexcept { return tiling_.shape.size(); }
  // Returns the case's data, in the shape that promotion gives it.
  const Tensor& data() const noexcept { return data_; }

  // Returns the answer to the case itself, with its own spelling of repeats and axis, called by one thread.
  std::optional<Tensor> whole();
  // Returns the same in another placement; one answer per thread.
  std::vector<Tensor> whole_at(const Placement& placement);
  // Returns `data` with each axis repeated.  onnx-tile-1 needs a call for each repeated axis.
  std::optional<Tensor> tiled(const Tensor& data, const Shape& times);
  // Returns the same from one call, whose repeats may differ in number from the axes of the data; `due` is
  // the expected shape.
  std::optional<Tensor> called(const Tensor& data, const Shape& repeats, const Shape& due);

  // Breaks the law if the two differ in type, shape or content.  `words` say what should be the same.
  void demand_same(const Tensor& seen, const Tensor& right, const std::string& words);
  void break_with(std::string evidence);
  // Records that the law says nothing about this case.
  void skip();

  LawWord word() const noexcept { return word_; }
  const std::string& evidence() const noexcept { return evidence_; }
  const std::vector<std::pair<LawCall, Observation>>& calls() const noexcept { return calls_; }
  // Returns the error if the machine, not the backend, failed.
  const std::optional<Error>& failure() const noexcept { return failure_; }

 private:
  std::vector<Tensor> ask(LawCall call);
  std::optional<Tensor> along_axis(const Tensor& data, std::size_t axis, std::int64_t tiles);
  std::optional<Tensor> asked_as(const Draft& draft, const Tensor& data, const Shape& due);

  const Case& question_;
  LawAsker& asker_;
  Tiling tiling_;
  Shape output_;
  Tensor data_;
  LawWord word_ = LawWord::holds;
  std::string evidence_;
  std::vector<std::pair<LawCall, Observation>> calls_;
  std::optional<Error> failure_;
};

}  // namespace certile::conformance
