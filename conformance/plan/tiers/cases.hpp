#pragma once
#include <atomic>
#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "conformance/plan/plan.hpp"

namespace certile::conformance {

// An exception that Cases::add throws to leave a generator of cases.
struct PlanInterrupted {};

// The cases of an unfinished plan: each literal once, at the place of its first occurrence.
class Cases {
 public:
  // Uses `interrupted`, which may be null and is set from outside to stop the planning.
  explicit Cases(const std::atomic<bool>* interrupted = nullptr);
  Cases(const Cases&) = delete;
  Cases& operator=(const Cases&) = delete;

  // Adds a case.  `cite`, if not empty, is a clause that has the case as an example; its characters live as
  // long as the program.  Returns true if the case is new.  Throws PlanInterrupted.
  bool add(const Case& question, std::string_view cite = {});

  // Sets the part of the plan that the next cases are from.
  void begin(Generator generator) noexcept { generator_ = generator; }
  // Marks the last case as one that follows the case before it.
  void mark_following() noexcept { cases_.back().follows = true; }

  // Records a corpus whose cases are added.
  void note_corpus(Plan::Corpus corpus) { corpora_.push_back(std::move(corpus)); }

  std::size_t size() const noexcept { return cases_.size(); }
  const std::vector<Plan::Corpus>& corpora() const noexcept { return corpora_; }
  std::vector<PlannedCase> take() &&;

 private:
  // The set holds indices and compares the literals behind them, so that each literal is kept once.
  struct Hash {
    using is_transparent = void;
    const std::vector<PlannedCase>* cases;
    std::size_t operator()(std::string_view literal) const { return std::hash<std::string_view>{}(literal); }
    std::size_t operator()(std::size_t index) const { return (*this)((*cases)[index].literal); }
  };
  struct Equal {
    using is_transparent = void;
    const std::vector<PlannedCase>* cases;
    bool operator()(std::size_t left, std::size_t right) const { return left == right; }
    bool operator()(std::string_view left, std::size_t right) const {
      return left == (*cases)[right].literal;
    }
    bool operator()(std::size_t left, std::string_view right) const {
      return (*cases)[left].literal == right;
    }
  };

  // Where the set lies: in blocks that are given back whole, and not in pieces between the literals.
  std::pmr::monotonic_buffer_resource memory_of_set_;
  const std::atomic<bool>* interrupted_;
  std::vector<Plan::Corpus> corpora_;
  std::vector<PlannedCase> cases_;
  Generator generator_ = Generator::given;
  std::pmr::unordered_set<std::size_t, Hash, Equal> seen_;
};

}  // namespace certile::conformance
