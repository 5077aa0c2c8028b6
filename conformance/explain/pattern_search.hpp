#pragma once
#include <set>
#include <string>
#include <vector>

#include "conformance/explain/condition.hpp"

namespace certile::conformance {

// A search for the conditions that tell failing cases from passing ones.
class PatternSearch {
 public:
  PatternSearch(const std::vector<std::string>& failed, const std::vector<std::string>& passed);

  // Adds a case that was asked later.
  void add(const Case& question, bool fails);
  bool knows(const std::string& literal) const { return known_.contains(literal); }
  const std::vector<NumberedCase>& failed() const noexcept { return failed_; }
  const std::vector<NumberedCase>& passed() const noexcept { return passed_; }

  // Returns one or two conditions that all failures meet and few passes do; none if they would say little.
  std::vector<Condition> choose() const;

 private:
  std::vector<NumberedCase> failed_, passed_;
  std::set<std::string> known_;  // the literals of all
};

}  // namespace certile::conformance
