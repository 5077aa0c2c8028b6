#include "conformance/explain/failure_patterns.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "conformance/explain/nearby_cases.hpp"
#include "conformance/explain/picture.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t least_failures = 3;

std::string words_of(const std::vector<Condition>& pattern) {
  std::vector<const Condition*> conditions;
  for (const Condition& each : pattern)
    conditions.push_back(&each);
  return words_of(conditions);
}

// Returns the passes that meet the pattern and are nearest to the plainest failure, of several equally near
// ones the plainest: a few.
std::vector<std::string> nearest_passes(const std::vector<Condition>& pattern, const PatternSearch& search) {
  constexpr std::size_t few = 3, longest_shown = 80;
  const auto plainness = [](const NumberedCase& it) {
    return plainness_of(it.question, to_string(it.question));
  };
  const Case& failure = std::ranges::min_element(search.failed(), {}, plainness)->question;
  // Of one element there is no wrong order.
  const auto says_little = [&failure](const Case& it) {
    return it.data.count() == 1 && failure.data.count() > 1;
  };
  std::set<std::pair<std::pair<Distance, Plainness>, std::string>> nearest;
  for (const NumberedCase& each : search.passed()) {
    const auto holds = [&each](const Condition& it) { return it.holds(each); };
    if (says_little(each.question) || !std::ranges::all_of(pattern, holds)) continue;
    std::string literal = to_string(each.question);
    if (literal.size() > longest_shown) continue;
    nearest.emplace(std::pair(distance_between(each.question, failure), plainness(each)), std::move(literal));
    if (nearest.size() > few) nearest.erase(std::prev(nearest.end()));
  }
  std::vector<std::string> literals;
  for (const auto& [place, literal] : nearest)
    literals.push_back(literal);
  return literals;
}

FailurePattern described(const std::vector<Condition>& pattern, const PatternSearch& search,
                         int fresh_cases) {
  return {words_of(pattern), fresh_cases, nearest_passes(pattern, search)};
}

// The questions to a backend that confirm a pattern, or change it.
class Confirmation {
 public:
  using Clock = std::chrono::steady_clock;

  Confirmation(PatternSearch search, const std::set<Fault>& faults, const IsolateOptions& options)
      : search_(std::move(search)), faults_(faults), options_(options), asker_(options) {}

  FailurePattern run() {
    std::vector<Condition> pattern = search_.choose();
    if (pattern.empty()) return described(pattern, search_, 0);
    for (int round = 0; round < most_rounds && !pattern.empty(); ++round) {
      const int passed = ask_around(pattern);
      if (passed < 0) return described(pattern, search_, 0);
      std::vector<Condition> again = search_.choose();
      if (words_of(again) == words_of(pattern)) return described(pattern, search_, passed);
      pattern = std::move(again);
    }
    return described({}, search_, 0);  // it changed each time, so none was found
  }

 private:
  static constexpr int most_rounds = 16, most_asked = 500;
  static constexpr std::size_t most_of_a_kind = 12;
  static constexpr std::chrono::seconds longest{10};  // dozens of cases on a busy machine

  // Asks cases next to the plainest failures: some with the pattern, some that miss one condition of it.
  // Returns the number of those without the pattern that passed; -1 if there was no time to ask.
  int ask_around(const std::vector<Condition>& pattern) {
    std::vector<std::vector<Case>> kinds(pattern.size() + 1);
    for (const Case& nearby : cases_around()) {
      if (search_.knows(to_string(nearby))) continue;
      const NumberedCase numbered(nearby);
      std::size_t kind = pattern.size(), missed = 0;
      for (std::size_t index = 0; index < pattern.size(); ++index)
        if (!pattern[index].holds(numbered)) {
          kind = index;
          ++missed;
        }
      if (missed < 2) kinds[kind].push_back(nearby);
    }
    int passed = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const std::vector<Case>& cases = kinds[kind];
      // Those at both ends of the order, and some between.
      const std::size_t step = cases.size() / most_of_a_kind + 1;
      for (std::size_t index = 0; index < cases.size(); index += step) {
        const auto fails = ask(cases[index]);
        if (!may_go_on()) return -1;
        if (!fails) continue;
        search_.add(cases[index], *fails);
        if (kind < pattern.size() && !*fails) ++passed;
      }
    }
    return passed;
  }

  std::vector<Case> cases_around() const {
    constexpr std::size_t most_origins = 3;
    std::vector<std::pair<Plainness, const Case*>> failed;
    for (const NumberedCase& each : search_.failed())
      failed.emplace_back(plainness_of(each.question, to_string(each.question)), &each.question);
    const auto end = failed.begin() + std::ssize(failed) -
                     std::max<std::ptrdiff_t>(0, std::ssize(failed) - std::ptrdiff_t{most_origins});
    std::ranges::partial_sort(failed, end);
    std::vector<Case> cases;
    for (auto origin = failed.begin(); origin != end; ++origin)
      for (const auto& nearby : {plainer_cases(*origin->second), larger_cases(*origin->second)})
        cases.insert(cases.end(), nearby.begin(), nearby.end());
    return cases;
  }

  bool may_go_on() const {
    return asked_ < most_asked && Clock::now() < end_ &&
           (options_.interrupted == nullptr || !options_.interrupted->load());
  }

  // Returns whether the case fails as those of the clause do; nothing for another end, and for a pass that
  // says little.
  std::optional<bool> ask(const Case& question) {
    ++asked_;
    const PlannedCase planned = planned_case(question);
    const auto judged = asker_.ask_in_order({&planned});
    if (!judged) return std::nullopt;
    const Judgement& found = judged->record.judged;
    if (found.verdict == Verdict::fail && faults_.contains(found.fault)) return true;
    const bool has_output = std::holds_alternative<Answer>(judged->expected) && !found.vacuous;
    return found.verdict == Verdict::pass && has_output ? std::optional(false) : std::nullopt;
  }

  PatternSearch search_;
  const std::set<Fault>& faults_;
  const IsolateOptions& options_;
  Diagnosis asker_;
  Clock::time_point end_ = Clock::now() + longest;
  int asked_ = 0;
};

std::size_t size_of_output(const Record& failure) {
  return failure.judged.output->elements.size();
}

// Adds a record with an output to a few, in place of the one with the smallest output if they are many.
void keep_output(const Record& failure, std::vector<Record>& kept) {
  constexpr std::size_t few = 24;
  if (!failure.judged.output) return;
  if (kept.size() < few) return kept.push_back(failure);
  const auto smallest = std::ranges::min_element(kept, {}, size_of_output);
  if (size_of_output(*smallest) < size_of_output(failure)) *smallest = failure;
}

}  // namespace

void FailurePatterns::add(const Record& record) {
  const Finding& found = record.now();
  if (!record.law.empty()) return;
  // An unsteady failure depends on the calls before it, so its own case explains nothing.  An accepted call
  // is explained by its clause, which says what is refused.
  const bool is_explained = found.fault == Fault::unsteady || found.fault == Fault::accepted;
  if (found.verdict == Verdict::fail && !is_explained) {
    Failures& failures = failed_[std::string(found.charged)];
    failures.literals.push_back(record.literal);
    failures.faults.insert({found.fault, record.judged.fault});
    keep_output(record, failures.with_output);
  }
  const ClauseId write = clause_with(record.definition, Role::write);
  const bool has_output =
      !record.judged.vacuous &&
      std::ranges::find(record.judged.exercised, text_of(write)) != record.judged.exercised.end();
  if (found.verdict != Verdict::pass || !has_output || passes_++ % stride_ != 0) return;
  passed_.push_back(record.literal);
  if (passed_.size() < most_passes) return;
  // Every second one goes, and from now on only half as many are kept.
  for (std::size_t index = 1; 2 * index < passed_.size(); ++index)
    passed_[index] = std::move(passed_[2 * index]);
  passed_.resize(passed_.size() / 2);
  stride_ *= 2;
}

FailurePattern FailurePatterns::of(std::string_view clause) const {
  const auto failures = failed_.find(clause);
  if (failures == failed_.end() || failures->second.literals.size() < least_failures) return {};
  const PatternSearch search(failures->second.literals, passed_);
  return described(search.choose(), search, 0);
}

std::string FailurePatterns::one_cause() const {
  constexpr std::size_t least_clauses = 3;
  if (failed_.size() < least_clauses) return {};
  std::vector<std::string> literals;
  for (const auto& [clause, failures] : failed_)
    literals.insert(literals.end(), failures.literals.begin(), failures.literals.end());
  const PatternSearch search(literals, passed_);
  const std::vector<Condition> pattern = search.choose();
  if (pattern.size() != 1 || std::ranges::any_of(search.passed(), pattern.front().holds)) return {};
  return "one cause? all failures of these " + counted(std::ssize(failed_), "clause") + " are calls where " +
         words_of(pattern) + ", and no such call passed\n";
}

FailurePattern FailurePatterns::confirmed(std::string_view clause, const IsolateOptions& options) const {
  const auto failures = failed_.find(clause);
  if (failures == failed_.end() || failures->second.literals.size() < least_failures) return {};
  const auto& literals = failures->second.literals;
  const auto& faults = failures->second.faults;
  if (faults.contains(Fault::timeout)) return of(clause);  // to ask again would take minutes
  return Confirmation(PatternSearch(literals, passed_), faults, options).run();
}

std::vector<WrongElements> FailurePatterns::outputs_like(const Record& failure) const {
  std::vector<WrongElements> outputs;
  const auto failures = failed_.find(failure.now().charged);
  if (failures == failed_.end()) return outputs;
  for (const Record& other : failures->second.with_output)
    if (other.now().fault == failure.now().fault && other.literal != failure.literal)
      if (auto found = recorded_elements(other)) outputs.push_back(*std::move(found));
  return outputs;
}

std::string FailurePatterns::line_of(const FailurePattern& pattern) {
  std::string lines;
  if (!pattern.words.empty() && pattern.fresh_cases == 0)
    lines = "      in this run the clause fails only where " + pattern.words + "\n";
  else if (!pattern.words.empty())
    lines = "      in the cases asked the clause fails only where " + pattern.words + "; " +
            counted(pattern.fresh_cases, "more case") + " outside these conditions " +
            (pattern.fresh_cases == 1 ? "was" : "were") + " asked, and passed\n";
  if (pattern.passes.empty()) return lines;
  lines += pattern.words.empty() ? "      near it these pass" : "      not all such cases fail; these pass";
  for (const std::string& literal : pattern.passes)
    lines += (&literal == &pattern.passes.front() ? ": " : ", ") + printable(literal);
  return lines + "\n";
}

}  // namespace certile::conformance
