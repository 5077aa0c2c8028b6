#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "conformance/plan.hpp"

namespace certile {

// The cases of a plan while it is made: each literal once, at the place of its first occurrence.
class Cases {
 public:
  Cases();
  Cases(const Cases&) = delete;
  Cases& operator=(const Cases&) = delete;

  // `literal` is canonical.  `cite`, where not empty, is a clause that has the case as an example; its
  // characters live as long as the program.  True where the case is new.
  bool add(std::string literal, std::string_view cite = {});

  std::size_t size() const noexcept { return cases_.size(); }
  std::vector<PlannedCase> take() &&;

 private:
  // The set holds indices and compares what they stand for, so that each literal is kept once.
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

  std::vector<PlannedCase> cases_;
  std::unordered_set<std::size_t, Hash, Equal> seen_;
};

}  // namespace certile
