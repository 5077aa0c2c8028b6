#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <set>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/plan/tiers/scope.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"

namespace certile::conformance {
namespace {

using backends::ClaimWord, std::int64_t;

// The limits that a library may have, and the most that is asked to find them.
struct Limit {
  std::optional<int64_t> Claim::*of;
  const char* words;
  int64_t asked;
};
constexpr Limit rank_limit{&Claim::max_rank, "rank ≤ ", 64},
    size_limit{&Claim::max_elements, "elements ≤ ", int64_t{1} << 22};

// The traits of a case by which a claim leaves it out: a name, or a limit.
enum Trait : std::uint8_t { by_definition, by_type, by_repeats_type, by_rank, by_size, trait_count };

// A case that was asked, and the result.
struct Asked {
  Case question;
  Expectation expected;                     // without elements
  std::array<int64_t, trait_count> traits;  // rank: of data and answer; size: 0 without elements to answer
  bool works = false, is_wrong = false;     // wrong: answered so, rather than declined
  std::string why;                          // it does not work
};
using Answers = std::vector<Asked>;

// Adds what a record says of its case, if that was answered.  Error: of the oracles.
Result<Done> add_to(Answers& answers, const Record& record) {
  const Finding& now = record.now();
  const bool works = now.verdict == Verdict::pass, fails = now.verdict == Verdict::fail;
  if (!works && !fails && now.verdict != Verdict::unsupported) return Done{};
  Case question = case_of(record.literal);
  TRY(auto expected, expect_shape(question));
  const auto* answer = question.placement.shape_only ? nullptr : std::get_if<Answer>(&expected);
  const std::size_t rank = question.data.shape().size();
  const auto number = [](auto value) { return static_cast<int64_t>(value); };
  const int64_t size = answer == nullptr ? 0 : element_count(answer->shape).value_or(0);
  const std::array traits{number(question.definition), number(question.data.type()),
                          number(question.repeats.type()),
                          number(answer == nullptr ? rank : std::max(rank, answer->shape.size())), size};
  constexpr std::array declines{Fault::claim, Fault::refused, Fault::failed, Fault::memory};
  const bool is_wrong = fails && std::ranges::count(declines, now.fault) == 0;
  answers.push_back({std::move(question), std::move(expected), traits, works, is_wrong,
                     std::string(first_line(now.words))});
  return Done{};
}

// Returns cases that find limits: every rank, and sizes that double, for each definition of the claim and for
// a few of its types.
std::vector<std::string> limit_ladders(const Claim& claim) {
  std::vector<std::string> literals;
  for (const DefinitionId each : claim.definitions) {
    const Scope scope(each, claim);
    std::vector<ElementType> types{ElementType::f32, ElementType::u8, ElementType::i64};
    std::erase_if(types, [&](ElementType asked) { return !contains(scope.types(), asked); });
    if (types.empty() && !scope.empty()) types.push_back(scope.types().front());
    std::vector<Draft> drafts;
    for (const ElementType asked : types) {
      for (std::size_t axes = 1; axes <= std::size_t{rank_limit.asked}; ++axes) {
        drafts.push_back({.type = asked, .shape = Shape(axes, 1), .repeats = Shape(axes, 1)});
        drafts.back().shape.back() = 3;
        drafts.back().repeats.front() = 2;
      }
      for (int64_t elements = 2; elements <= size_limit.asked; elements *= 2)
        drafts.push_back({.type = asked, .shape = {elements / 2}, .repeats = {2}});
    }
    for (const Draft& draft : drafts)
      for (const Case& question : scope.cases_of(draft))
        literals.push_back(to_string(question));
  }
  return literals;
}

bool covers(const Claim& claim, const Asked& asked) {
  return inside_claim(claim, asked.question, asked.expected);
}

// Returns the claim without this name, or without this rank or size and what is larger.
Claim without(Claim claim, std::size_t trait, int64_t value) {
  if (trait == by_definition) std::erase(claim.definitions, static_cast<DefinitionId>(value));
  if (trait == by_type) claim.types = claim.types - TypeSet{static_cast<ElementType>(value)};
  if (trait == by_repeats_type)
    claim.repeats_types = claim.repeats_types - TypeSet{static_cast<ElementType>(value)};
  if (trait == by_rank) claim.max_rank = value - 1;
  if (trait == by_size) claim.max_elements = value - 1;
  return claim;
}

// Returns the narrower claim that leaves out most of what fails, and little else; nothing if none separates
// what fails from what works: a fault that is found everywhere is no matter of the claim.
std::optional<Claim> best_narrower(const Claim& claim, const std::vector<const Asked*>& cases) {
  std::set<std::pair<std::size_t, int64_t>> failing;
  for (const Asked* each : cases)
    for (std::size_t trait = 0; !each->works && trait < trait_count; ++trait) {
      const int64_t value = each->traits.at(trait);
      // Of thousands of sizes, powers of two are tried: the largest right answer makes the limit exact.
      const auto power = static_cast<int64_t>(std::bit_floor(static_cast<std::uint64_t>(value - 1)));
      failing.emplace(trait, trait == by_size && value > 1 ? power + 1 : value);
    }
  std::optional<Claim> best;
  double most = 0;
  for (const auto& [trait, value] : failing) {
    const bool is_limit = trait == by_rank || trait == by_size;
    if (is_limit && value <= 1) continue;
    Claim next = without(claim, trait, value);
    double failing_out = 0, out = 0, failing_in = 0, in = 0;
    for (const Asked* each : cases) {
      const bool is_in = covers(next, *each);
      (is_in ? in : out) += 1;
      if (!each->works) (is_in ? failing_in : failing_out) += 1;
    }
    if (failing_out == 0 || in == 0) continue;
    const double share = failing_out / out, left = failing_in / in;
    constexpr double clearly = 5, mostly = 0.9, half = 0.5;
    const bool is_much = share < half && out > 2 * in;
    if (share < clearly * left || (is_limit && share < mostly) || is_much) continue;
    const double merit = share * failing_out / (failing_out + failing_in);
    if (merit > most) best = std::move(next);
    most = std::max(most, merit);
  }
  return best;
}

// Returns the widest claim without what fails or is not supported: its names, its rank and its size are those
// of right answers, less what a choice leaves out.
Claim proposal(const Claim& widest, const Answers& answers) {
  std::vector<const Asked*> inside;
  for (const Asked& each : answers)
    inside.push_back(&each);
  for (;;) {
    Claim claim = widest;
    claim.types = claim.repeats_types = {};
    int64_t axes = 0, elements = 0;
    std::set<DefinitionId> definitions;
    for (const Asked* each : inside) {
      if (!each->works || each->traits[by_size] == 0) continue;
      definitions.insert(each->question.definition);
      claim.types.insert(each->question.data.type());
      claim.repeats_types.insert(each->question.repeats.type());
      axes = std::max(axes, each->traits[by_rank]);
      elements = std::max(elements, each->traits[by_size]);
    }
    claim.definitions.assign(definitions.begin(), definitions.end());
    claim.max_rank = axes;
    claim.max_elements = elements;
    std::erase_if(inside, [&](const Asked* each) { return !covers(claim, *each); });
    const auto next = best_narrower(claim, inside);
    if (!next) return claim;
    std::erase_if(inside, [&](const Asked* each) { return !covers(*next, *each); });
  }
}

std::vector<std::string> names_in(const ClaimWord& word) {
  std::istringstream names(word.word);
  return {std::istream_iterator<std::string>(names), {}};
}

// Returns the claim to paste: of a library in C or in Python, or of a worker.
std::string spelled(const Claim& claim, const ClaimOptions& options) {
  std::string text;
  nlohmann::ordered_json words;
  for (const ClaimWord& each : backends::claim_words(claim)) {
    const std::string key(each.key);
    const bool is_list = each.kind == ClaimWord::Kind::names;
    words[key] = each.word;
    if (!is_list && each.kind != ClaimWord::Kind::limit) continue;  // no choice
    if (options.as_python)
      text += key + "=" + (is_list ? "[\"" + joined(names_in(each), "\", \"") + "\"]" : each.word) + ",\n";
    else
      text += "." + key + " = " + (is_list ? "\"" + each.word + "\"" : each.word) + ",\n";
  }
  if (!options.as_json) return text;
  return words.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// Writes what separates the library's own claim from the proposed one, in sentences.
void compare(const Claim& own, const Claim& proposed, std::ostream& error) {
  const std::string wider = "The library's own claim is wider than what passes: ",
                    narrower = "The library's own claim is narrower than what works: ";
  const auto theirs = backends::claim_words(own), ours = backends::claim_words(proposed);
  const auto missing = [](const ClaimWord& from, const ClaimWord& in) {
    std::vector<std::string> names = names_in(from);
    const std::vector<std::string> known = names_in(in);
    std::erase_if(names, [&](const std::string& each) { return std::ranges::count(known, each) != 0; });
    return joined(names, " ");
  };
  for (std::size_t index = 0; index < ours.size(); ++index) {
    if (ours[index].kind != ClaimWord::Kind::names) continue;
    const std::string key(ours[index].key), what = key == "repeats_types" ? "types of repeats " : key + " ";
    const std::string more = missing(theirs[index], ours[index]), fewer = missing(ours[index], theirs[index]);
    if (!more.empty()) error << wider << what << more << ".\n";
    if (!fewer.empty()) error << narrower << what << fewer << " pass too.\n";
  }
  for (const auto& [of, what, asked] : {rank_limit, size_limit}) {
    const auto limit = own.*of, works = proposed.*of;
    const std::string words = what + with_thousands(*works);
    if (limit && limit < works)
      error << narrower << words << " passes.\n";
    else if (limit != works)
      error << (works < asked ? wider + words + " does.\n"
                              : "No limit was found, and nothing beyond " + words +
                                    " was asked; claim a limit if your code has one.\n");
  }
  if (own.max_bytes)
    error << "The library's own limit of " << with_thousands(*own.max_bytes)
          << " bytes is not in the proposal, which limits elements instead.\n";
}

// Writes what the library must do besides claiming less.  Returns true if there is nothing.
bool is_honest(const Claim& claim, const Answers& answers, std::ostream& error) {
  const auto none = [&](const char* what, const auto& is_one) {
    const auto first = std::ranges::find_if(answers, is_one);
    if (first == answers.end()) return true;
    error << counted(std::ranges::count_if(answers, is_one), "case") << what << to_string(first->question)
          << ": " << printable(first->why) << '\n';
    return false;
  };
  const bool fits = none(" of this claim fail, and no narrower claim leaves them out, for instance ",
                         [&](const Asked& each) { return !each.works && covers(claim, each); });
  return none(
             " beyond this claim are answered wrongly; the library must answer `unsupported` to them, for "
             "instance to ",
             [&](const Asked& each) { return each.is_wrong && !covers(claim, each); }) &&
         fits;
}

}  // namespace

int claim_command(const ClaimOptions& options, std::ostream& out, std::ostream& error) {
  RunOptions run = options.run;
  run.asks_again = false;
  const Started started = start_backend(run.isolate);
  if (!started.claim) return give_up(error, started.failure->sentence, started.failure->exit_code);
  const Claim& own = *started.claim;
  run.backend = own.name;
  Claim widest = own;
  widest.definitions = all_definitions();
  for (const ElementType each : all_element_types()) {
    widest.types.insert(each);
    widest.repeats_types.insert(each);
  }
  widest.max_rank = widest.max_elements = widest.max_bytes = std::nullopt;

  Answers answers;
  std::unordered_set<std::string> known;
  Claim proposed = widest;
  bool is_confirmed = false;
  // A narrower claim has other cases, because what it does not have is replaced by what it has.
  for (int round = 0; round < 4 && !is_confirmed; ++round) {
    PlanOptions planned = options.plan;
    planned.also = limit_ladders(proposed);
    planned.interrupted = &interrupted();
    auto plan = make_plan(proposed, started.transport, planned);
    if (!plan) return give_up(error, plan.error().what, exit_own_failure);
    std::erase_if(plan->cases, [&](const PlannedCase& each) { return known.contains(each.literal); });
    error << "asking " << counted(static_cast<int64_t>(plan->cases.size()), "case") << std::endl;
    const auto ran = run_plan(*plan, run, [&](const Record& record) {
      known.insert(record.literal);
      return add_to(answers, record);
    });
    if (!ran || interrupted()) return give_up(error, ran ? "" : ran.error().what, exit_not_loaded);
    const Claim before = std::exchange(proposed, proposal(widest, answers));
    if (proposed.definitions.empty())
      return complain(error, "nothing works, so that there is nothing to claim", exit_nothing_run);
    is_confirmed = proposed == before || std::ranges::all_of(answers, [&](const Asked& each) {
                     return each.works || !covers(widest, each);
                   });
  }
  Claim pasted = proposed;
  for (const Limit& limit : {rank_limit, size_limit})  // where nothing larger was asked, the library's
    if (auto& most = pasted.*limit.of; most >= limit.asked)
      most = own.*limit.of >= most ? own.*limit.of : std::nullopt;
  out << spelled(pasted, options) << std::flush;
  compare(own, proposed, error);
  return is_honest(proposed, answers, error) ? exit_conformant : exit_not_conformant;
}

}  // namespace certile::conformance
