#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/laws/law_asker.hpp"
#include "conformance/laws/tiling.hpp"
#include "conformance/plan/tiers/scope.hpp"

namespace certile {

// What came of a law on a case.
enum class LawWord {
  holds,
  broken,
  does_not_apply,  // the case gives it nothing to say, or the claim does not reach as far as the calls it
                   // needs
};

// One law, tried on one case of one backend: makes the calls that the law asks for, and keeps what it finds.
// An answer that does not come is nothing here, and what that means for the law has been noted.
class LawTrial {
 public:
  LawTrial(const Case& question, Tiling tiling, Shape output, LawAsker& asker);

  const Case& question() const noexcept { return question_; }
  const Scope& scope() const noexcept { return asker_.scope(question_.definition); }
  const Tiling& tiling() const noexcept { return tiling_; }
  const Shape& output_shape() const noexcept { return output_; }
  std::size_t rank() const noexcept { return tiling_.shape.size(); }
  // The case's data, in the shape that promotion gives it.
  const Tensor& data() const noexcept { return data_; }

  // The answer to the case itself, with its own spelling of repeats and axis, called by one thread.
  std::optional<Tensor> whole();
  // The same in another placement; one answer per thread.
  std::vector<Tensor> whole_at(const Placement& placement);
  // `data`, each axis repeated.  For onnx-tile-1 one call for each axis that is repeated.
  std::optional<Tensor> tiled(const Tensor& data, const Shape& times);
  // The same in one call, whose repeats need not be as many as the data has axes; `due` is what comes out.
  std::optional<Tensor> called(const Tensor& data, const Shape& repeats, const Shape& due);

  // Breaks the law where the two differ in type, shape or content.  `words` say what should be the same.
  void demand_same(const Tensor& seen, const Tensor& right, const std::string& words);
  void break_with(std::string evidence);
  // Where the law has nothing to say about this case.
  void skip();

  LawWord word() const noexcept { return word_; }
  const std::string& evidence() const noexcept { return evidence_; }
  const std::vector<std::pair<LawCall, Observation>>& calls() const noexcept { return calls_; }
  // Set where the machine, not the backend, failed.
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

}  // namespace certile
