#include "conformance/explain/pattern_search.hpp"

#include <algorithm>
#include <bit>

namespace certile::conformance {
namespace {

// A bit for each pass: 1 if the pass meets a condition.
class Column {
 public:
  Column(const std::vector<NumberedCase>& passed, const Condition& condition)
      : words_(passed.size() / 64 + 1) {
    for (std::size_t index = 0; index < passed.size(); ++index)
      if (condition.holds(passed[index])) words_[index / 64] |= std::uint64_t{1} << (index % 64);
  }
  std::ptrdiff_t count() const {
    std::ptrdiff_t all = 0;
    for (const std::uint64_t word : words_)
      all += std::popcount(word);
    return all;
  }
  std::ptrdiff_t count_with(const Column& other) const {
    std::ptrdiff_t all = 0;
    for (std::size_t index = 0; index < words_.size(); ++index)
      all += std::popcount(words_[index] & other.words_[index]);
    return all;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

PatternSearch::PatternSearch(const std::vector<std::string>& failed, const std::vector<std::string>& passed) {
  const auto add_all = [this](const std::vector<std::string>& literals, bool fails) {
    for (const std::string& literal : literals)
      if (auto question = parse_case(literal)) add(*question, fails);
  };
  add_all(failed, true);
  add_all(passed, false);
}

void PatternSearch::add(const Case& question, bool fails) {
  known_.insert(to_string(question));
  (fails ? failed_ : passed_).emplace_back(question);
}

std::vector<Condition> PatternSearch::choose() const {
  // The fewest passes that a condition must exclude to be worth a word.
  constexpr std::ptrdiff_t least_excluded = 10, least_of_second = 3;
  std::vector<Condition> conditions = conditions_of(failed_);
  std::vector<Column> columns;
  for (const Condition& condition : conditions)
    columns.emplace_back(passed_, condition);
  // Returns the condition that one number meets both; none if a failure has no such number.
  const auto together = [&](std::size_t one, std::size_t other) {
    auto both = joined(conditions[one], conditions[other]);
    if (both && !std::ranges::all_of(failed_, both->holds)) both.reset();
    return both;
  };
  const auto all = std::ssize(passed_);
  std::ptrdiff_t fewest = all, fewest_of_two = all;
  std::size_t best = 0, one = 0, other = 0;
  for (std::size_t index = 0; index < columns.size(); ++index) {
    const std::ptrdiff_t left = columns[index].count();
    if (left < fewest) {
      fewest = left;
      best = index;
    }
    for (std::size_t second = 0; second < index; ++second) {
      const auto joint = together(second, index);
      const std::ptrdiff_t both =
          joint ? Column(passed_, *joint).count() : columns[index].count_with(columns[second]);
      if (both >= fewest_of_two) continue;
      fewest_of_two = both;
      one = second;
      other = index;
    }
  }
  const bool needs_two = fewest_of_two <= fewest / 2 && fewest - fewest_of_two >= least_of_second;
  const std::ptrdiff_t left = needs_two ? fewest_of_two : fewest;
  if (all - left < least_excluded || left > all / 2) return {};
  if (!needs_two) return {conditions[best]};
  if (const auto joint = together(one, other)) return {*joint};
  return {conditions[one], conditions[other]};
}

}  // namespace certile::conformance
