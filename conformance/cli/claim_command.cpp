#include "conformance/cli/claim_command.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/plugin/claim.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/plan/tiers/scope.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

namespace {

using Asked = ClaimProposal::Asked;

// Returns the shape of the right answer, of a case that is answered with elements; null for others.
const Shape* shape_of(const Asked& asked) {
  const auto* answer = std::get_if<Answer>(&asked.expected);
  return answer == nullptr || asked.question.placement.shape_only ? nullptr : &answer->shape;
}

std::int64_t rank_of(const Asked& asked) {
  const Shape* shape = shape_of(asked);
  const std::size_t rank = shape == nullptr ? 0 : shape->size();
  return static_cast<std::int64_t>(std::max(rank, asked.question.data.shape().size()));
}

std::int64_t size_of(const Asked& asked) {
  const Shape* shape = shape_of(asked);
  return shape == nullptr ? 0 : element_count(*shape).value_or(0);
}

bool covers(const Claim& claim, const Asked& asked) {
  return inside_claim(claim, asked.question, asked.expected);
}

// A narrower claim, and whether it is narrower by a limit.
struct Narrower {
  Claim claim;
  bool by_limit = false;
};

// Returns every claim that is narrower by one name, or by a limit just below a case that does not work.
std::vector<Narrower> narrower_claims(const Claim& claim, const std::vector<const Asked*>& failing) {
  std::vector<Narrower> found;
  for (const DefinitionId each : claim.definitions) {
    Claim next = claim;
    std::erase(next.definitions, each);
    found.push_back({std::move(next)});
  }
  for (const ElementType each : claim.types) {
    Claim next = claim;
    next.types = next.types - TypeSet{each};
    found.push_back({std::move(next)});
  }
  for (const ElementType each : claim.repeats_types) {
    Claim next = claim;
    next.repeats_types = next.repeats_types - TypeSet{each};
    found.push_back({std::move(next)});
  }
  std::set<std::int64_t> ranks, sizes;
  for (const Asked* each : failing) {
    ranks.insert(rank_of(*each) - 1);
    sizes.insert(size_of(*each) - 1);
  }
  for (const std::int64_t rank : ranks) {
    Claim next = claim;
    next.max_rank = rank;
    if (rank > 0) found.push_back({std::move(next), true});
  }
  // Few of thousands of sizes are tried, and among them the largest, because limits are powers of two or
  // near.
  constexpr std::size_t most_sizes = 64;
  std::size_t number = 0;
  const std::size_t step = sizes.size() / most_sizes + 1;
  for (const std::int64_t size : sizes) {
    Claim next = claim;
    next.max_elements = size;
    if (size > 0 && number++ % step == 0) found.push_back({std::move(next), true});
  }
  return found;
}

// The numbers of cases that a narrower claim leaves out, and of those that remain in it.
struct Shares {
  double failing_out = 0, out = 0, failing_in = 0, in = 0;

  // Returns how well the narrower claim separates what fails from what works; 0 if it does not: a fault that
  // is found everywhere is no matter of the claim.
  double merit(bool by_limit) const {
    if (failing_out == 0 || in == 0) return 0;
    const double share = failing_out / out, left = failing_in / in;
    constexpr double clearly = 5, mostly = 0.9, half = 0.5;
    if (share < clearly * left || (by_limit && share < mostly)) return 0;
    if (share < half && out > 2 * in) return 0;
    return share * failing_out / (failing_out + failing_in);
  }
};

// Returns the claim that leaves most of what fails out, and little else; nothing if there is none.
std::optional<Claim> best_narrower(const Claim& claim, const std::vector<const Asked*>& inside,
                                   const std::vector<const Asked*>& failing) {
  std::optional<Claim> best;
  double most = 0;
  for (Narrower& each : narrower_claims(claim, failing)) {
    Shares shares;
    for (const Asked* asked : inside) {
      const bool is_in = covers(each.claim, *asked);
      (is_in ? shares.in : shares.out) += 1;
      if (!asked->works) (is_in ? shares.failing_in : shares.failing_out) += 1;
    }
    const double merit = shares.merit(each.by_limit);
    if (merit <= most) continue;
    most = merit;
    best = std::move(each.claim);
  }
  return best;
}

}  // namespace

Claim widest_claim(const Claim& own) {
  Claim claim;
  claim.name = own.name;
  claim.version = own.version;
  claim.definitions = all_definitions();
  for (const ElementType type : all_element_types()) {
    claim.types.insert(type);
    claim.repeats_types.insert(type);
  }
  claim.infers = own.infers;
  return claim;
}

std::vector<std::string> limit_ladders(const Claim& claim) {
  std::vector<std::string> literals;
  for (const DefinitionId definition : claim.definitions) {
    const Scope scope(definition, claim);
    std::vector<ElementType> types;
    for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::i64})
      if (std::ranges::find(scope.types(), type) != scope.types().end()) types.push_back(type);
    if (types.empty() && !scope.empty()) types.push_back(scope.types().front());
    const auto ask = [&](const Draft& draft) {
      for (const Case& question : scope.cases_of(draft))
        literals.push_back(to_string(question));
    };
    for (const ElementType type : types) {
      for (std::size_t rank = 1; rank <= std::size_t{most_axes_asked}; ++rank) {
        Draft draft{.type = type, .shape = Shape(rank, 1), .repeats = Shape(rank, 1)};
        draft.shape.back() = 3;
        draft.repeats.front() = 2;
        ask(draft);
      }
      for (std::int64_t size = 2; size <= largest_size; size *= 2)
        ask({.type = type, .shape = {size / 2}, .repeats = {2}});
    }
  }
  return literals;
}

Result<Done> ClaimProposal::add(const PlannedCase& planned, const Record& record) {
  const Finding& finding = record.now();
  const bool is_answer = finding.verdict == Verdict::pass || finding.verdict == Verdict::fail ||
                         finding.verdict == Verdict::unsupported;
  if (!is_answer || !known_.emplace(planned.literal, asked_.size()).second) return Done{};
  Case question = planned.question();
  auto expected = expect_shape(question);
  if (!expected) return expected.error();
  const bool has_declined = finding.fault == Fault::claim || finding.fault == Fault::refused ||
                            finding.fault == Fault::failed || finding.fault == Fault::memory;
  asked_.push_back({std::move(question), planned.literal, *std::move(expected),
                    finding.verdict == Verdict::pass, finding.verdict == Verdict::fail && !has_declined,
                    finding.words.substr(0, finding.words.find('\n'))});
  return Done{};
}

std::vector<const Asked*> ClaimProposal::failing(const Claim& claim) const {
  std::vector<const Asked*> found;
  for (const Asked& each : asked_)
    if (!each.works && covers(claim, each)) found.push_back(&each);
  return found;
}

std::optional<Claim> ClaimProposal::claim(const Claim& widest) const {
  // Only what gave a right answer with elements is in the claim at all.
  Claim claim = widest;
  std::set<DefinitionId> definitions;
  TypeSet types, repeats_types;
  for (const Asked& each : asked_) {
    if (!each.works || size_of(each) == 0) continue;
    definitions.insert(each.question.definition);
    types.insert(each.question.data.type());
    repeats_types.insert(each.question.repeats.type());
  }
  std::erase_if(claim.definitions, [&](DefinitionId each) { return !definitions.contains(each); });
  claim.types = claim.types & types;
  claim.repeats_types = claim.repeats_types & repeats_types;
  for (;;) {
    if (claim.definitions.empty() || claim.types.empty() || claim.repeats_types.empty()) return std::nullopt;
    std::vector<const Asked*> inside;
    for (const Asked& each : asked_)
      if (covers(claim, each)) inside.push_back(&each);
    const auto left = failing(claim);
    auto next = left.empty() ? std::nullopt : best_narrower(claim, inside, left);
    if (!next) break;
    claim = *std::move(next);
  }
  std::int64_t rank = 0, size = 0;
  for (const Asked& each : asked_)
    if (each.works && shape_of(each) != nullptr && covers(claim, each)) {
      rank = std::max(rank, rank_of(each));
      size = std::max(size, size_of(each));
    }
  claim.max_rank = rank;
  claim.max_elements = size;
  return claim;
}

namespace {

using backends::ClaimWord;

// Returns the words that make a claim, without name, version and shape inference, which are no choice.
std::vector<ClaimWord> chosen_words(const Claim& claim) {
  std::vector<ClaimWord> words = backends::claim_words(claim);
  std::erase_if(words, [](const ClaimWord& each) {
    return each.kind == ClaimWord::Kind::text || each.kind == ClaimWord::Kind::flag;
  });
  return words;
}

std::string as_c(const Claim& claim) {
  std::string text;
  for (const ClaimWord& each : chosen_words(claim)) {
    const bool is_text = each.kind == ClaimWord::Kind::names;
    text += "." + std::string(each.key) + " = " + (is_text ? "\"" + each.word + "\"" : each.word) + ",\n";
  }
  return text;
}

std::string as_python(const Claim& claim) {
  std::string text;
  for (const ClaimWord& each : chosen_words(claim)) {
    std::string value = each.word;
    if (each.kind == ClaimWord::Kind::names) {
      value = "[\"" + value + "\"]";
      for (std::size_t at = 0; (at = value.find(' ', at)) != std::string::npos; at += 4)
        value.replace(at, 1, "\", \"");
    }
    text += std::string(each.key) + "=" + value + ",\n";
  }
  return text;
}

std::string as_json(const Claim& claim) {
  nlohmann::ordered_json words;
  for (const ClaimWord& each : backends::claim_words(claim))
    words[std::string(each.key)] = each.word;
  return words.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// Returns the names of `from` that `in` does not have.
std::vector<std::string> missing(const std::vector<std::string>& from, const std::vector<std::string>& in) {
  std::vector<std::string> found;
  for (const std::string& each : from)
    if (std::ranges::find(in, each) == in.end()) found.push_back(each);
  return found;
}

// A comparison of the library's own claim with the proposed one, in sentences.
class ClaimComparison {
 public:
  ClaimComparison(const Claim& own, const Claim& proposed) : own_(own), proposed_(proposed) {}

  std::vector<std::string> sentences() {
    compare("operators", names_of<DefinitionId>(own_.definitions),
            names_of<DefinitionId>(proposed_.definitions));
    compare("types", names_of<ElementType>(own_.types), names_of<ElementType>(proposed_.types));
    compare("types of repeats", names_of<ElementType>(own_.repeats_types),
            names_of<ElementType>(proposed_.repeats_types));
    compare("rank", own_.max_rank, proposed_.max_rank, most_axes_asked);
    compare("elements", own_.max_elements, proposed_.max_elements, largest_size);
    if (own_.max_bytes)
      said_.push_back("The library's own limit of " + with_thousands(*own_.max_bytes) +
                      " bytes is not in the proposal, which limits elements instead.");
    return std::move(said_);
  }

 private:
  void compare(const std::string& what, const std::vector<std::string>& own,
               const std::vector<std::string>& proposed) {
    if (const auto wider = missing(own, proposed); !wider.empty())
      said_.push_back("The library's own claim is wider than what passes: " + what + " " +
                      joined(wider, " ") + ".");
    if (const auto narrower = missing(proposed, own); !narrower.empty())
      said_.push_back("The library's own claim is narrower than what works: " + what + " " +
                      joined(narrower, " ") + " pass too.");
  }
  // Compares limits; `asked` is the largest number that was asked on purpose.
  void compare(const std::string& what, const std::optional<std::int64_t>& own,
               const std::optional<std::int64_t>& proposed, std::int64_t asked) {
    if (!proposed) return;
    const std::string limit = what + " ≤ " + with_thousands(*proposed);
    if (*proposed >= asked) {
      if (!own || *own > *proposed)
        said_.push_back("No limit was found, and nothing beyond " + limit +
                        " was asked; claim a limit if your code has one.");
    } else if (!own || *own > *proposed) {
      said_.push_back("The library's own claim is wider than what passes: " + limit + " does.");
    }
    if (own && *own < *proposed)
      said_.push_back("The library's own claim is narrower than what works: " + limit + " passes.");
  }

  const Claim& own_;
  const Claim& proposed_;
  std::vector<std::string> said_;
};

// Returns the limit to paste: that of the library, where the proposed one is no more than the end of the
// cases.
std::optional<std::int64_t> to_paste(std::optional<std::int64_t> proposed, std::optional<std::int64_t> own,
                                     std::int64_t asked) {
  if (!proposed || *proposed < asked) return proposed;
  return own && *own >= *proposed ? own : std::nullopt;
}

// Returns the sentences about what the library must do besides claiming less.
std::vector<std::string> what_is_left(const ClaimProposal& answers, const Claim& claim) {
  std::vector<std::string> said;
  const auto example = [](const ClaimProposal::Asked& each) {
    return each.literal + ": " + printable(each.words);
  };
  if (const auto failing = answers.failing(claim); !failing.empty())
    said.push_back(counted(static_cast<std::int64_t>(failing.size()), "case") +
                   " of this claim fail, and no narrower claim leaves them out, for instance " +
                   example(*failing.front()));
  std::int64_t count = 0;
  const ClaimProposal::Asked* first = nullptr;
  for (const ClaimProposal::Asked& each : answers.asked()) {
    if (!each.is_wrong || inside_claim(claim, each.question, each.expected)) continue;
    if (count++ == 0) first = &each;
  }
  if (first != nullptr)
    said.push_back(
        counted(count, "case") +
        " beyond this claim are answered wrongly; the library must answer `unsupported` to them, for "
        "instance to " +
        example(*first));
  return said;
}

}  // namespace

int claim_command(const ClaimOptions& options, const Limits& limits, std::ostream& out, std::ostream& error) {
  RunOptions run;
  if (const auto sentence = limits.apply(run)) return complain(error, *sentence, exit_not_loaded);
  run.isolate.spelling = options.backend;
  run.isolate.interrupted = run.interrupted = &interrupted();
  run.jobs = options.jobs;
  run.asks_again = false;
  if (const auto* time = options.budget ? std::get_if<std::chrono::seconds>(&*options.budget) : nullptr)
    run.time_for_all = *time;
  const Started started = start_backend(run.isolate);
  if (interrupted().load()) return complain(error, "interrupted", exit_interrupted);
  if (!started.claim) return complain(error, started.failure->sentence, started.failure->exit_code);
  const Claim& own = *started.claim;
  run.backend = own.name;

  ClaimProposal answers;
  const Claim widest = widest_claim(own);
  std::optional<Claim> proposed = widest;
  // A narrower claim has other cases, because what it does not have is replaced by what it has.
  constexpr int most_rounds = 4;
  for (int round = 0; round < most_rounds && proposed; ++round) {
    PlanOptions planned;
    planned.tier = *tier_named(options.tier);
    planned.budget = options.budget;
    planned.also = limit_ladders(*proposed);
    planned.interrupted = &interrupted();
    auto plan = make_plan(*proposed, started.door, planned);
    if (interrupted().load()) return complain(error, "interrupted", exit_interrupted);
    if (!plan) return complain(error, plan.error().what, exit_own_failure);
    std::erase_if(plan->cases, [&](const PlannedCase& each) { return answers.has(each.literal); });
    error << "asking " << counted(static_cast<std::int64_t>(plan->cases.size()), "case") << std::endl;
    std::unordered_map<std::string_view, const PlannedCase*> cases;
    for (const PlannedCase& each : plan->cases)
      cases.emplace(each.literal, &each);
    const auto ran = run_plan(*plan, run, [&](const Record& record) {
      const auto found = cases.find(record.literal);
      return found == cases.end() ? Result<Done>(Done{}) : answers.add(*found->second, record);
    });
    if (interrupted().load()) return complain(error, "interrupted", exit_interrupted);
    if (!ran) return complain(error, ran.error().what, exit_not_loaded);
    const auto next = answers.claim(widest);
    if (next == proposed) break;
    const bool was_whole = round == 0 && next && answers.failing(widest).empty();
    proposed = next;
    if (was_whole) break;
  }
  if (!proposed) return complain(error, "nothing works, so that there is nothing to claim", exit_nothing_run);
  Claim pasted = *proposed;
  pasted.max_rank = to_paste(proposed->max_rank, own.max_rank, most_axes_asked);
  pasted.max_elements = to_paste(proposed->max_elements, own.max_elements, largest_size);
  out << (options.as_json     ? as_json(pasted)
          : options.as_python ? as_python(pasted)
                              : as_c(pasted))
      << std::flush;
  for (const std::string& sentence : ClaimComparison(own, *proposed).sentences())
    error << sentence << '\n';
  const std::vector<std::string> left = what_is_left(answers, *proposed);
  for (const std::string& sentence : left)
    error << sentence << '\n';
  error << std::flush;
  return left.empty() ? exit_conformant : exit_not_conformant;
}

}  // namespace certile::conformance
