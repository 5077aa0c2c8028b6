#include "conformance/proof/self_test/trial.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/judge/expectation.hpp"
#include "conformance/judge/roles.hpp"
#include "conformance/plan/corpus.hpp"
#include "conformance/run/backend_start.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

std::string key_of(const Claim& claim, Transport transport, std::optional<DefinitionId> definition,
                   Plans::Order order) {
  std::string key = definition ? std::string(name(*definition)) : "all";
  key += " " + std::to_string(static_cast<int>(order));
  for (const DefinitionId each : claim.definitions)
    key += " " + std::string(name(each));
  for (const ElementType type : claim.types)
    key += " " + std::string(name(type));
  key += " x";
  for (const ElementType type : claim.repeats_types)
    key += " " + std::string(name(type));
  for (const std::int64_t limit :
       {claim.max_rank.value_or(-1), claim.max_elements.value_or(-1), claim.max_bytes.value_or(-1)})
    key += " " + std::to_string(limit);
  return key + (claim.infers ? " infers" : "") + (transport.shares_memory ? "" : " over a pipe");
}

// Tells a call that is refused, or asked for its shape alone, from one whose elements take long to compute.
bool has_a_large_answer(const Case& question) {
  return may_have_a_large_answer(question) &&
         std::holds_alternative<oracle::Promoted>(oracle::promote(question));
}

void sort_smallest_first(std::vector<PlannedCase>& cases) {
  struct Place {
    bool is_costly;  // its answer is large, however small the data is
    std::int64_t elements;
    std::size_t length;
    std::size_t index;
  };
  std::vector<Place> places;
  places.reserve(cases.size());
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const Case question = cases[index].question();
    const auto elements = element_count(question.data.shape());
    const bool is_costly = has_a_large_answer(question);
    places.push_back({is_costly, elements.value_or(INT64_MAX), cases[index].literal.size(), index});
  }
  std::ranges::sort(places, [&](const Place& left, const Place& right) {
    return std::tie(left.is_costly, left.elements, left.length, cases[left.index].literal) <
           std::tie(right.is_costly, right.elements, right.length, cases[right.index].literal);
  });
  std::vector<PlannedCase> sorted;
  sorted.reserve(cases.size());
  for (const Place& place : places)
    sorted.push_back(std::move(cases[place.index]));
  cases = std::move(sorted);
}

// Returns how many cases a sample has besides the pages' examples and the witnesses.  For the level text it
// is asked to its end, unless the text breaks.
std::size_t sample_size(Plans::Order order, Tier tier) {
  if (order == Plans::Order::few) return 1'000;
  return tier == Tier::smoke ? 400 : 10'000;
}

// Keeps the examples of the pages, the witnesses, and at most `count` of the others, spread evenly.
void keep_few(std::vector<PlannedCase>& cases, std::size_t count) {
  const std::size_t step = cases.size() / count + 1;
  std::size_t number = 0;
  std::erase_if(cases, [&](const PlannedCase& planned) {
    return number++ % step != 0 && planned.cites.empty() && !is_witness(planned.literal);
  });
}

// Keeps fewer for a worker, without witnesses and large answers: a worker is slow, and its faults show in any
// sample.
void keep_few_for_worker(std::vector<PlannedCase>& cases) {
  constexpr double large = 1 << 20;  // in bytes
  constexpr std::size_t few = 400;
  const std::size_t step = cases.size() / few + 1;
  std::size_t number = 0;
  std::erase_if(cases, [&](const PlannedCase& planned) {
    return planned.cites.empty() && (number++ % step != 0 || estimated_bytes(planned.question()) > large);
  });
}

// Returns options for a run that ends at its first failure.
RunOptions run_options(IsolateOptions isolate, Plans& plans, const std::atomic<bool>& interrupted) {
  RunOptions run;
  run.known_answers = &plans.answers();
  run.isolate = std::move(isolate);
  run.fail_fast = true;
  run.interrupted = run.isolate.interrupted = &interrupted;
  return run;
}

bool breaks_text(DefinitionId definition, std::string_view charged) {
  const ClauseId clause = clause_id(charged);
  return clause == ClauseId::none || counts_at_text(definition, clause);
}

// The clause that breaks the level text, empty if the text holds, and the case that shows it, empty if the
// clause is in doubt at the end of the plan: then no failure is charged to a clause of the text.
struct BrokenText {
  std::string clause, literal;
};

// Asks the plan for something that breaks the level text.
BrokenText first_to_break_text(const Trial& trial, const Started& started, const RunOptions& run,
                               const Plan& plan) {
  RunHeader header;
  header.claim = *started.claim;
  header.transport = started.transport;
  header.options.definitions = {trial.definition};
  header.level = Level::text;
  header.planned = static_cast<std::int64_t>(plan.cases.size());
  Summary summary(std::move(header));
  std::atomic<bool> enough{false};
  RunOptions options = run;
  options.fail_fast = false;
  options.asks_again = false;
  options.interrupted = &enough;
  BrokenText broken;
  const auto ran = run_plan(plan, options, [&](const Record& record) {
    summary.add(record);
    if (broken.clause.empty() && record.now().verdict == Verdict::fail &&
        breaks_text(trial.definition, record.now().charged))
      broken = {std::string(record.now().charged), record.literal};
    if (!broken.clause.empty() || run.interrupted->load()) enough.store(true);
    return Result<Done>(Done{});
  });
  if (!ran) return {ran.error().what, {}};
  // Wrong elements leave clauses of the text in doubt that a mutant need not break.
  const bool must_break = !text_clause_of(*trial.mutant, trial.definition).empty();
  if (broken.clause.empty() && must_break && summary.conformance() == Summary::Conformance::none)
    broken.clause = summary.in_doubt().front();
  return broken;
}

// Asks the plan until a case fails, and says how the trial ends.
void ask_until_failure(Trial& trial, const RunOptions& run, const Plan& plan, std::string_view clause) {
  bool failed = false;
  const auto ran = run_plan(plan, run, [&](const Record& record) {
    if (record.now().verdict != Verdict::fail || failed) return Result<Done>(Done{});
    failed = true;
    trial.failure = record;
    return Result<Done>(Done{});
  });
  if (!ran) {
    trial.why = ran.error().what;
    return;
  }
  if (failed)
    trial.end = trial.failure.now().charged == clause ? Trial::End::killed : Trial::End::elsewhere;
  else
    trial.end = clause.empty() ? Trial::End::killed : Trial::End::survived;
}

// Notes a case that the sample has only as a witness, or has not.
void note_witness(Trial& trial, const std::string& literal, Plans::Order order) {
  if (!literal.empty() && (order == Plans::Order::smallest_first || is_witness(literal)))
    trial.witnesses.push_back(literal);
}

void try_operator(Trial& trial, const Started& started, const RunOptions& run, Plans& plans) {
  const bool is_quick = started.transport.shares_memory;
  const std::string_view clause = clause_of(*trial.mutant, trial.definition);
  // Most mutants die of a sample.  The whole plan decides about the others, and about those that must live.
  std::vector<Plans::Order> orders;
  if (!is_quick || !clause.empty()) orders.push_back(Plans::Order::few);
  if (is_quick) orders.push_back(Plans::Order::smallest_first);
  for (const Plans::Order order : orders) {
    const auto plan = plans.get(started, trial.definition, order);
    if (!plan) {
      trial.why = plan.error().what;
      return;
    }
    ask_until_failure(trial, run, **plan, clause);
    note_witness(trial, trial.failure.literal, order);
    if (trial.end == Trial::End::killed || run.interrupted->load()) break;
  }
  if (trial.end != Trial::End::killed || clause.empty()) return;
  trial.text_clause = std::string(clause);
  const std::string_view text_clause = text_clause_of(*trial.mutant, trial.definition);
  if (!breaks_text(trial.definition, clause)) {
    const auto ask = [&](Plans::Order order) {
      const auto plan = plans.get(started, trial.definition, order);
      auto broken =
          plan ? first_to_break_text(trial, started, run, **plan) : BrokenText{plan.error().what, {}};
      note_witness(trial, broken.literal, order);
      trial.text_clause = std::move(broken.clause);
    };
    ask(is_quick ? Plans::Order::for_text : Plans::Order::few);
    // That no case of a sample breaks the text says nothing of the others.
    if (is_quick && trial.text_clause.empty() && !text_clause.empty()) ask(Plans::Order::smallest_first);
  }
  if (trial.text_clause != text_clause) trial.end = Trial::End::at_text;
}

}  // namespace

Result<std::shared_ptr<const Plan>> Plans::get(const Started& started, std::optional<DefinitionId> definition,
                                               Order order) {
  const std::lock_guard lock(mutex_);
  return made(started, definition, order);
}

Result<std::shared_ptr<const Plan>> Plans::made(const Started& started,
                                                std::optional<DefinitionId> definition, Order order) {
  const std::string key = key_of(*started.claim, started.transport, definition, order);
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  Plan plan;
  if (order == Order::few || order == Order::for_text) {
    auto sorted = made(started, definition, Order::smallest_first);
    if (!sorted) return sorted;
    plan = **sorted;
    if (started.transport.shares_memory)
      keep_few(plan.cases, sample_size(order, tier_));
    else
      keep_few_for_worker(plan.cases);
    if (order == Order::for_text)
      std::erase_if(plan.cases,
                    [](const PlannedCase& planned) { return planned.question().placement.threads > 1; });
  } else {
    PlanOptions options;
    options.tier = tier_;
    if (definition) options.definitions = {*definition};
    TRY(auto whole, make_plan(*started.claim, started.transport, options));
    plan = std::move(whole);
    if (order == Order::smallest_first) sort_smallest_first(plan.cases);
  }
  return made_[key] = std::make_shared<const Plan>(std::move(plan));
}

std::vector<Trial> try_mutant(const Mutant& mutant, const std::vector<DefinitionId>& definitions,
                              IsolateOptions isolate, Plans& plans, const std::atomic<bool>& interrupted) {
  std::vector<Trial> trials;
  isolate.time_limit = time_limit_of_mutants;
  const RunOptions run = run_options(std::move(isolate), plans, interrupted);
  // A busy machine may not answer in so short a time.
  constexpr int patience = 10;
  RunOptions patient = run;
  patient.isolate.time_limit *= patience;
  // Where the machine has other work, it is chance whether concurrent calls meet.
  constexpr int tries_of_a_race = 5;
  const Started started = start_backend(run.isolate);
  for (const DefinitionId definition : definitions) {
    const bool is_race = has_role(clause_id(clause_of(mutant, definition)), Role::threads);
    Trial trial;
    trial.mutant = &mutant;
    trial.definition = definition;
    if (started.claim) {
      try_operator(trial, started, run, plans);
      const bool is_odd = trial.end == Trial::End::elsewhere || trial.end == Trial::End::at_text;
      if (is_odd && !interrupted.load()) try_operator(trial, started, patient, plans);
      for (int tries = 1; trial.end == Trial::End::survived && is_race && tries < tries_of_a_race; ++tries)
        if (!interrupted.load()) try_operator(trial, started, run, plans);
    } else {
      trial.why = started.failure->sentence;
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

Certification certify_library(IsolateOptions isolate, Plans& plans, Tier tier,
                              std::optional<DefinitionId> definition, const std::atomic<bool>& interrupted) {
  Certification result;
  const RunOptions run = run_options(std::move(isolate), plans, interrupted);
  Started started = start_backend(run.isolate);
  if (!started.claim) {
    result.why = started.failure->sentence;
    return result;
  }
  const auto plan = plans.get(started, definition, Plans::Order::tier);
  if (!plan) {
    result.why = plan.error().what;
    return result;
  }
  RunHeader header;
  header.spelling = run.isolate.spelling;
  header.claim = *std::move(started.claim);
  header.transport = started.transport;
  header.options.tier = tier;
  if (definition) header.options.definitions = {*definition};
  header.planned = static_cast<std::int64_t>((*plan)->cases.size());
  Summary summary(std::move(header));
  const auto ran = run_plan(**plan, run, [&](const Record& record) {
    summary.add(record);
    return Result<Done>(Done{});
  });
  if (!ran) summary.mark_incomplete(ran.error().what);
  result.summary = std::move(summary);
  return result;
}

}  // namespace certile::conformance
