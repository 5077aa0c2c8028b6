#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/explain/condition.hpp"
#include "reference/values/case.hpp"

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

// Returns cases that differ from this one by one step and are plainer in the order of record.hpp, the
// plainest first: without a placement or fill, with an axis less or only one, of a common type, with
// smaller numbers or fewer spelled elements.
std::vector<Case> plainer_cases(const Case& question);

// Returns cases with one dimension or repeat increased, or of a scalar with an axis more, the plainest first,
// whose outputs are small.
std::vector<Case> larger_cases(const Case& question);

// How far two cases are from each other: first the number of things in which they differ, of which another
// type counts most, because it changes the bytes of rows and the code that moves them as well; then the sum
// of what their dimensions and repeats differ by.
using Distance = std::pair<int, std::int64_t>;
Distance distance_between(const Case& one, const Case& other);

}  // namespace certile::conformance
