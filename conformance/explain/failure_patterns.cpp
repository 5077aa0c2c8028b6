#include "conformance/explain/failure_patterns.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/explain/condition.hpp"
#include "conformance/explain/nearby_cases.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

// The fewest failures that may share a property not by chance, and the fewest passes that may lack it.
constexpr std::size_t least_failures = 3, least_passes = 10;

// The mark before the clauses of passes with elements.
constexpr std::string_view with_elements = "+";

// Returns true for a pass whose output has elements.
bool has_elements(const Judgement& judged, DefinitionId definition) {
  const auto write = text_of(clause_with(definition, Role::write));
  return !judged.vacuous && std::ranges::find(judged.exercised, write) != judged.exercised.end();
}

// The passes nearest to a failure.
class NearestPasses {
 public:
  explicit NearestPasses(const Case& failure) : failure_(failure) {}

  void add(const Case& pass, const std::string& literal) {
    constexpr std::size_t few = 3, longest_shown = 80;
    // Of one element there is no wrong order, and another definition is another call.
    const bool says_little = pass.data.count() == 1 && failure_.data.count() > 1;
    if (says_little || pass.definition != failure_.definition || literal.size() > longest_shown) return;
    Plainness plainness = plainness_of(pass, literal);
    if (plainness.is_empty) return;
    nearest_.emplace(std::pair(distance_between(pass, failure_), std::move(plainness)), literal);
    if (nearest_.size() > few) nearest_.erase(std::prev(nearest_.end()));
  }
  std::vector<std::string> literals() const {
    std::vector<std::string> all;
    for (const auto& [place, literal] : nearest_)
      all.push_back(literal);
    return all;
  }

 private:
  const Case& failure_;
  std::set<std::pair<std::pair<Distance, Plainness>, std::string>> nearest_;
};

// Returns true if a bound is as exact as the cases allow: none could be asked between failures and passes.
bool is_exact(const Condition& condition) {
  const auto is_open = [&](const std::string& literal, std::int64_t below, std::int64_t above) {
    const auto question = parse_case(literal);
    return question && !cases_between(*question, condition.property, below, above).empty();
  };
  return !(condition.below && is_open(condition.at_low, *condition.below, condition.low)) &&
         !(condition.above && is_open(condition.at_high, condition.high, *condition.above));
}

}  // namespace

// The failures of a clause, or of all, next to the passes that exercise it.
class Sides {
 public:
  Sides(const FailurePatterns& patterns, std::string_view clause) : clause_(clause) {
    for (const auto& [charged, failures] : patterns.failed_)
      if (clause.empty() || charged == clause) {
        need_elements_ = need_elements_ && !failures.has_empty;
        for (const std::string& literal : failures.literals)
          if (const auto question = parse_case(literal)) add(*question, literal, true);
      }
  }

  // Reads the passes with elements, and those without that exercise the clause.
  void read_passes(const FailurePatterns& patterns, NearestPasses* nearest) {
    for (const auto& [exercised, literals] : patterns.passed_) {
      const bool has = exercised.back() == with_elements;
      if (has || clause_.empty() || std::ranges::find(exercised, clause_) != exercised.end())
        for (const std::string& literal : literals)
          if (const auto question = parse_case(literal)) {
            add_pass(*question, literal, has);
            if (nearest != nullptr) nearest->add(*question, literal);
          }
    }
  }

  // Passes without elements are set apart from failures that all have elements.
  void add_pass(const Case& question, const std::string& literal, bool has) {
    if (has || !need_elements_) return add(question, literal, false);
    known_.insert(literal);
    empty_.push_back(properties_of(question));
  }

  void add(const Case& question, const std::string& literal, bool fails) {
    separation_.add(properties_of(question), literal, fails);
    known_.insert(literal);
    ++(fails ? failed_ : passed_);
    if (!fails) return;
    constexpr std::size_t most_origins = 3;
    origins_.emplace(plainness_of(question, literal), question);
    if (origins_.size() > most_origins) origins_.erase(std::prev(origins_.end()));
  }

  // Returns the conditions that tell failures from passes; none if they are too few.
  std::vector<Condition> conditions() const {
    if (failed_ < least_failures || passed_ < least_passes) return {};
    return separation_.conditions();
  }
  // Returns the words of the first condition that is exact; empty if there is none.
  std::string words() const {
    for (const Condition& each : conditions()) {
      if (!is_exact(each)) continue;
      const auto holds = [&](const Properties& it) { return each.holds(it).value_or(true); };
      return (std::ranges::any_of(empty_, holds) ? "the output has elements and " : "") + each.words();
    }
    return {};
  }
  // Returns unknown cases next to the plainest failures, with their literals.
  std::vector<std::pair<std::string, Case>> cases_around() const {
    std::vector<std::pair<std::string, Case>> cases;
    for (const auto& [plainness, origin] : origins_)
      for (const auto& nearby : {plainer_cases(origin), cases_of_other_forms(origin), larger_cases(origin)})
        for (const Case& each : nearby)
          if (std::string literal = to_string(each); !known_.contains(literal))
            cases.emplace_back(std::move(literal), each);
    return cases;
  }

 private:
  struct Less {
    bool operator()(const auto& one, const auto& other) const { return one.first < other.first; }
  };
  std::string clause_;
  Separation separation_;
  std::set<std::string> known_;
  std::size_t failed_ = 0, passed_ = 0;
  bool need_elements_ = true;                           // all failures have some
  std::vector<Properties> empty_;                       // of passes that have none then
  std::set<std::pair<Plainness, Case>, Less> origins_;  // the plainest failures
};

namespace {

// The questions to a backend that leave of all conditions those that are true of fresh cases, too.
class Confirmation {
 public:
  Confirmation(Sides& sides, NearestPasses& nearest, std::string_view clause, const std::set<Fault>& faults,
               const IsolateOptions& options)
      : sides_(sides),
        nearest_(nearest),
        clause_(clause),
        faults_(faults),
        options_(options),
        asker_(options),
        fresh_(sides.cases_around()),
        questions_left_(backends::worker_command(options.spelling) ? most_of_worker : most_asked) {}

  // Returns the number of fresh cases that agree with the condition that is left.
  int run() {
    while (may_go_on()) {
      const auto conditions = sides_.conditions();
      const auto next = conditions.empty() ? std::nullopt : next_case(conditions);
      if (!next) break;
      ask(*next);
    }
    return agreeing_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int most_asked = 250, most_of_worker = 40, most_of_a_side = 12;
  static constexpr std::chrono::seconds longest{60};  // of a backend that is slow

  bool may_go_on() const {
    return questions_left_ > 0 && Clock::now() < end_ &&
           (options_.interrupted == nullptr || !options_.interrupted->load());
  }

  // Returns the case that tells most: one between failures and passes, then one on which the conditions
  // disagree, then some on both sides of the first.
  std::optional<Case> next_case(const std::vector<Condition>& conditions) {
    const Condition& first = conditions.front();
    for (const auto& [literal, below, above] :
         {std::tuple(first.at_low, first.below.value_or(first.low), first.low),
          std::tuple(first.at_high, first.high, first.above.value_or(first.high))})
      if (const auto question = parse_case(literal); question && below < above)
        for (Case& each : cases_between(*question, first.property, below, above))
          if (tried_.insert(to_string(each)).second) return std::move(each);
    std::optional<std::size_t> spare;
    for (std::size_t index = 0; index < fresh_.size(); ++index) {
      if (tried_.contains(fresh_[index].first)) continue;
      const Properties properties = properties_of(fresh_[index].second);
      const auto holds = [&](const Condition& it) { return it.holds(properties).value_or(true); };
      const auto held = std::ranges::count_if(conditions, holds);
      if (held > 0 && held < std::ssize(conditions)) return taken(index);
      if (!spare && asked_of_side_[held > 0 ? 1 : 0] < most_of_a_side) spare = index;
    }
    if (!spare) return std::nullopt;
    ++asked_of_side_[first.holds(properties_of(fresh_[*spare].second)).value_or(true) ? 1 : 0];
    return taken(*spare);
  }

  Case taken(std::size_t index) {
    tried_.insert(fresh_[index].first);
    return fresh_[index].second;
  }

  // Asks whether the case fails as those of the clause do.  Another end, and a pass that does not exercise
  // the clause, say nothing.
  void ask(const Case& question) {
    --questions_left_;
    const PlannedCase planned = planned_case(question);
    const auto judged = asker_.ask_in_order({&planned});
    if (!judged) return;
    const Judgement& found = judged->record.judged;
    const bool fails = found.verdict == Verdict::fail && faults_.contains(found.fault);
    const bool has = has_elements(found, question.definition);
    const bool passes = found.verdict == Verdict::pass &&
                        (has || std::ranges::find(found.exercised, clause_) != found.exercised.end());
    if (!fails && !passes) return;
    ++agreeing_;
    if (fails) return sides_.add(question, planned.literal, true);
    sides_.add_pass(question, planned.literal, has);
    nearest_.add(question, planned.literal);
  }

  Sides& sides_;
  NearestPasses& nearest_;
  std::string_view clause_;
  const std::set<Fault>& faults_;
  const IsolateOptions& options_;
  Diagnosis asker_;
  Clock::time_point end_ = Clock::now() + longest;
  std::vector<std::pair<std::string, Case>> fresh_;
  std::set<std::string> tried_;
  int questions_left_, agreeing_ = 0;
  std::array<int, 2> asked_of_side_{};
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
    failures.has_empty = failures.has_empty || !has_elements(record.judged, record.definition);
    failures.faults.insert({found.fault, record.judged.fault});
    keep_output(record, failures.with_output);
  }
  if (found.verdict != Verdict::pass) return;
  exercised_ = record.judged.exercised;
  exercised_.push_back(has_elements(record.judged, record.definition) ? with_elements : "");
  passed_[exercised_].push_back(record.literal);
}

FailurePattern FailurePatterns::of(const Record& failure, const IsolateOptions* options) const {
  const std::string_view clause = failure.now().charged;
  const auto question = parse_case(failure.literal);
  const auto failures = failed_.find(clause);
  if (!question || failures == failed_.end()) return {};
  const std::set<Fault>& faults = failures->second.faults;
  Sides sides(*this, clause);
  NearestPasses nearest(*question);
  sides.read_passes(*this, &nearest);
  // To ask again what hangs would take minutes.
  const bool may_ask = options != nullptr && !faults.contains(Fault::timeout) && !sides.conditions().empty();
  const int agreeing = may_ask ? Confirmation(sides, nearest, clause, faults, *options).run() : 0;
  if (std::string words = sides.words(); !words.empty()) return {std::move(words), agreeing};
  return {"", 0, nearest.literals()};
}

std::string FailurePatterns::one_cause() const {
  constexpr std::size_t least_clauses = 3;
  if (failed_.size() < least_clauses) return {};
  Sides sides(*this, "");
  sides.read_passes(*this, nullptr);
  const std::string words = sides.words();
  if (words.empty()) return {};
  return "one cause? all failures of these " + counted(std::ssize(failed_), "clause") + " are calls where " +
         words + ", and no such call passed\n";
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
  if (!pattern.words.empty() && pattern.fresh_cases == 0)
    return "      in this run the clause fails exactly where " + pattern.words + "\n";
  if (!pattern.words.empty())
    return "      the clause fails exactly where " + pattern.words + ", in the run and in " +
           counted(pattern.fresh_cases, "more case") + "\n";
  std::string lines;
  for (const std::string& literal : pattern.passes)
    lines += (lines.empty() ? "      near it these pass: " : ", ") + printable(literal);
  return lines.empty() ? lines : lines + "\n";
}

}  // namespace certile::conformance
