#include "conformance/explain/failure_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "conformance/plan/plan.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"
#include "reference/values/scalar_value.hpp"

namespace certile::conformance {
namespace {

std::int64_t bytes_of(const Case& question, std::int64_t count) {
  return count > (std::int64_t{1} << 50) ? count : count * bits(question.data.type()) / 8;
}
std::int64_t row_length(const Case& question) {
  return question.data.shape().empty() ? 1 : question.data.shape().back();
}
std::int64_t data_bytes(const Case& question) {
  return bytes_of(question, question.data.count());
}
std::int64_t row_bytes(const Case& question) {
  return bytes_of(question, row_length(question));
}
std::int64_t largest_repeat(const Case& question) {
  std::int64_t largest = 0;
  for (const auto& number : numbers_in(question.repeats))
    if (number) largest = std::max(largest, number->value);
  return largest;
}
bool has_odd_repeats(const Case& question) {
  return std::ranges::any_of(numbers_in(question.repeats), [](const auto& number) {
    return number && number->value > 0 && !std::has_single_bit(static_cast<std::uint64_t>(number->value));
  });
}

// A number of a case.  Words: for a lower bound, and for an upper bound.
struct Measure {
  const char *at_least, *at_most;
  std::int64_t (*of)(const Case& question);
};
constexpr std::array<Measure, 7> measures{{
    {"a repeat is {} or more", "no repeat is more than {}", largest_repeat},
    {"rows have {} bytes or more", "rows have {} bytes or fewer", row_bytes},
    {"rows have {} elements or more", "rows have {} elements or fewer", row_length},
    {"the data have {} bytes or more", "the data have {} bytes or fewer", data_bytes},
    {"the data have {} axes or more", "the data have {} axes or fewer",
     [](const Case& question) { return std::ssize(question.data.shape()); }},
    {"elements have {} bits or more", "elements have {} bits or fewer",
     [](const Case& question) { return std::int64_t{bits(question.data.type())}; }},
    {"there are {} repeats or more", "there are {} repeats or fewer",
     [](const Case& question) { return question.repeats.count(); }},
}};

// A trait of a case.
struct Trait {
  const char* words;
  bool (*has)(const Case& question);
};
constexpr std::array<Trait, 6> traits{{
    {"a repeat is no power of two", has_odd_repeats},
    {"rows are no multiple of 16 bytes", [](const Case& question) { return row_bytes(question) % 16 != 0; }},
    {"the data are no multiple of 16 bytes",
     [](const Case& question) { return data_bytes(question) % 16 != 0; }},
    {"calls are concurrent", [](const Case& question) { return question.placement.threads > 1; }},
    {"elements share bytes", [](const Case& question) { return is_packed(question.data.type()); }},
    {"buffers are not aligned", [](const Case& question) { return question.placement.offset != 0; }},
}};

std::vector<Case> cases_of(const std::vector<std::string>& literals) {
  std::vector<Case> cases;
  for (const std::string& literal : literals)
    if (auto planned = parse_planned_case(literal)) cases.push_back(std::move(planned->question));
  return cases;
}

// A choice of the words that leave the fewest passes.
class Choice {
 public:
  Choice(const std::vector<Case>& failed, const std::vector<Case>& passed)
      : failed_(failed), passed_(passed) {}

  void consider(std::string words, const auto& holds) {
    constexpr std::ptrdiff_t least_excluded = 10;
    if (!std::ranges::all_of(failed_, holds)) return;
    const auto left = std::ranges::count_if(passed_, holds);
    if (std::ssize(passed_) - left < least_excluded || left >= least_) return;
    least_ = left;
    words_ = std::move(words);
  }
  // Returns the words if they exclude most passes; others would say little.
  std::string words() const { return least_ <= std::ssize(passed_) / 2 ? words_ : std::string(); }

 private:
  const std::vector<Case>&failed_, &passed_;
  std::ptrdiff_t least_ = std::numeric_limits<std::ptrdiff_t>::max();
  std::string words_;
};

}  // namespace

void FailurePatterns::add(const Record& record) {
  const Finding& found = record.now();
  if (!record.law.empty()) return;
  // An unsteady failure depends on the calls before it, so its own case explains nothing.
  if (found.verdict == Verdict::fail && found.fault != Fault::unsteady)
    failed_[std::string(found.charged)].push_back(record.literal);
  const ClauseId write = clause_with(record.definition, Role::write);
  const bool has_output =
      !record.judged.vacuous &&
      std::ranges::find(record.judged.exercised, text_of(write)) != record.judged.exercised.end();
  if (found.verdict != Verdict::pass || !has_output || passes_++ % stride_ != 0) return;
  passed_.push_back(record.literal);
  if (passed_.size() < most_passes) return;
  // Every second one goes, and from now on only half as many are kept.
  for (std::size_t index = 0; 2 * index < passed_.size(); ++index)
    passed_[index] = std::move(passed_[2 * index]);
  passed_.resize(passed_.size() / 2);
  stride_ *= 2;
}

std::string FailurePatterns::of(std::string_view clause) const {
  const auto literals = failed_.find(clause);
  constexpr std::size_t least_failures = 3;
  if (literals == failed_.end() || literals->second.size() < least_failures) return {};
  const std::vector<Case> failed = cases_of(literals->second), passed = cases_of(passed_);
  Choice choice(failed, passed);
  for (const Trait& trait : traits)
    choice.consider(trait.words, trait.has);
  for (const Measure& measure : measures) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                 most = std::numeric_limits<std::int64_t>::min();
    for (const Case& each : failed) {
      least = std::min(least, measure.of(each));
      most = std::max(most, measure.of(each));
    }
    choice.consider(fmt::format(fmt::runtime(measure.at_least), with_thousands(least)),
                    [&](const Case& each) { return measure.of(each) >= least; });
    choice.consider(fmt::format(fmt::runtime(measure.at_most), with_thousands(most)),
                    [&](const Case& each) { return measure.of(each) <= most; });
  }
  const std::string words = choice.words();
  return words.empty() ? words : "only where " + words;
}

std::string FailurePatterns::line_of(std::string_view clause) const {
  const std::string words = of(clause);
  return words.empty() ? words : "      in this run the clause fails " + words + "\n";
}

}  // namespace certile::conformance
