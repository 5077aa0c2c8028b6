#include "conformance/cli/claim_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/plugin/claim_words.hpp"
#include "conformance/cli/claim_proposal.hpp"
#include "conformance/cli/complain.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
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
    planned.also = limit_ladders(*proposed);
    planned.interrupted = &interrupted();
    const auto plan = make_plan(*proposed, started.door, planned);
    if (interrupted().load()) return complain(error, "interrupted", exit_interrupted);
    if (!plan) return complain(error, plan.error().what, exit_own_failure);
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
