#include "conformance/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/judge/exercised.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/plan/corpus.hpp"
#include "conformance/plan/order.hpp"
#include "conformance/plan/tiers/cases.hpp"
#include "conformance/plan/tiers/tiers.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

namespace {

constexpr std::array<std::string_view, generator_count> names{
#define GENERATOR(name) #name,
#include "conformance/plan/generators.inc"
#undef GENERATOR
};

}  // namespace

std::string_view name(Generator generator) noexcept {
  return names[static_cast<std::size_t>(generator)];
}

namespace {

constexpr std::array tiers{Tier::smoke, Tier::core, Tier::full, Tier::large};

Result<Done> add_literals(const std::vector<std::string>& literals, Cases& cases) {
  for (const std::string& literal : literals) {
    const auto question = parse_case(literal);
    if (!question) return Error{question.error().code, with_caret(question.error().what, literal)};
    cases.add(*question);
  }
  return Done{};
}

Result<Done> add_corpora(const PlanOptions& options, Cases& cases) {
  for (const std::string& path : options.corpora) {
    TRY(const auto corpus, read_corpus(path, options.interrupted));
    TRY(const auto questions, parse_corpus(corpus, options.interrupted));
    cases.note_corpus({path, sha256_hex(corpus.text)});
    for (const Case& question : questions) {
      const auto& wanted = options.definitions;
      if (std::find(wanted.begin(), wanted.end(), question.definition) != wanted.end()) cases.add(question);
    }
  }
  return Done{};
}

Result<Done> check_requirements(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const Clause* clause = find_clause(id);
    if (clause == nullptr)
      return Error{Error::Code::unsupported,
                   "there is no clause " + id + "; the pages in reference/spec list them"};
    if (!clause->testable)
      return Error{Error::Code::unsupported,
                   "no case exercises the clause " + id + ": " + clause->untestable_because};
  }
  return Done{};
}

// Returns true if the case exercises one of the clauses.  Only the shape is computed, because no clause
// depends on the elements.
Result<bool> exercises(const PlannedCase& planned, const std::vector<std::string>& ids) {
  const Case question = planned.question();
  TRY(const auto expected, expect_shape(question));
  const auto exercised = exercised_clauses(question, expected, planned.cites);
  return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
    return std::find(exercised.begin(), exercised.end(), id) != exercised.end();
  });
}

// Returns true for cases about placement, threads and leaks, which have no effect on a backend in another
// process.
bool is_about_memory(const PlannedCase& planned) {
  const Placement placement = planned.question().placement;
  return placement.chooses_addresses() || placement.threads > 1 || placement.calls > 1;
}

Result<Done> keep_those_that_exercise(const PlanOptions& options, std::vector<PlannedCase>& cases) {
  std::vector<PlannedCase> kept;
  for (PlannedCase& planned : cases) {
    if (options.interrupted != nullptr && options.interrupted->load()) throw PlanInterrupted();
    TRY(const auto wanted, exercises(planned, options.clauses));
    if (wanted) kept.push_back(std::move(planned));
  }
  cases = std::move(kept);
  return Done{};
}

void cut_to(const Budget& budget, Plan& plan) {
  plan.filtered = true;
  plan.before_budget = static_cast<std::int64_t>(plan.cases.size());
  put_most_telling_first(plan.cases);
  if (const auto* const count = std::get_if<std::int64_t>(&budget)) keep_first(plan.cases, *count);
}

std::string digest_of(const std::vector<PlannedCase>& cases) {
  Sha256 digest;
  for (const PlannedCase& planned : cases) {
    digest.add(planned.literal);
    digest.add("\n");
  }
  return digest.hex();
}

}  // namespace

PlannedCase planned_case(const Case& question) {
  return {to_string(question), {}};
}

Result<PlannedCase> parse_planned_case(std::string_view literal) {
  TRY(const auto question, parse_case(literal));
  return planned_case(question);
}

std::string_view name(Tier tier) noexcept {
  switch (tier) {
    case Tier::smoke:
      return "smoke";
    case Tier::core:
      return "core";
    case Tier::full:
      return "full";
    case Tier::large:
      break;
  }
  return "large";
}

std::optional<Tier> tier_named(std::string_view wanted) noexcept {
  const auto found =
      std::find_if(tiers.begin(), tiers.end(), [&](Tier tier) { return name(tier) == wanted; });
  if (found == tiers.end()) return std::nullopt;
  return *found;
}

Result<Plan> make_plan(const Claim& claim, Transport transport, const PlanOptions& options) try {
  if (const auto known = check_requirements(options.clauses); !known) return known.error();
  const bool chosen = !options.literals.empty() || !options.corpora.empty();
  Cases cases(options.interrupted);
  if (chosen) {
    if (const auto added = add_literals(options.literals, cases); !added) return added.error();
    if (const auto added = add_corpora(options, cases); !added) return added.error();
  } else {
    if (const auto added = add_tier(claim, transport, options, cases); !added) return added.error();
    cases.begin(Generator::given);
    if (const auto added = add_literals(options.also, cases); !added) return added.error();
  }
  Plan plan;
  plan.corpora = cases.corpora();
  plan.cases = std::move(cases).take();
  if (!chosen && !transport.shares_memory) std::erase_if(plan.cases, is_about_memory);
  plan.filtered = chosen || !options.clauses.empty();
  if (!options.clauses.empty())
    if (const auto kept = keep_those_that_exercise(options, plan.cases); !kept) return kept.error();
  if (options.budget) cut_to(*options.budget, plan);
  plan.digest = digest_of(plan.cases);
  return plan;
} catch (const PlanInterrupted&) {
  return Error{Error::Code::io, "the plan was not made to its end: interrupted"};
}

}  // namespace certile::conformance
