#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/proof/self_test/roster.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// A store of plans by claim, definition and order: mutants with the same claim get the same questions.
class Plans {
 public:
  enum class Order {
    tier,            // the usual order
    smallest_first,  // by elements of the data, then shortest, then the order of literals
    few,  // of these, the pages' examples, 1,000 more, and the witnesses, of which nearly all mutants die;
          // for a worker the examples and 400 small ones
    for_text,  // of these, the same with 400 more in smoke, 10,000 in longer tiers, and without concurrent
               // calls, which take most of the time
  };

  explicit Plans(Tier tier) : tier_(tier) {}
  // Returns the tier's plan for the claim and the transport of a backend that has started, for one definition
  // or for all.
  Result<std::shared_ptr<const Plan>> get(const Started& started, std::optional<DefinitionId> definition,
                                          Order order);
  // Returns what the oracles answered to the cases of these plans.
  KnownAnswers& answers() noexcept { return answers_; }

 private:
  // Returns the same where the store is locked.
  Result<std::shared_ptr<const Plan>> made(const Started& started, std::optional<DefinitionId> definition,
                                           Order order);

  Tier tier_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Plan>> made_;
  KnownAnswers answers_;
};

// In milliseconds: a mutant that hangs does so at once, and others answer within microseconds.
inline constexpr int time_limit_of_mutants = 1'000;

// The result of one mutant with one definition.
struct Trial {
  const Mutant* mutant = nullptr;
  DefinitionId definition{};
  enum class End {
    killed,  // its first failure is charged to its clause, and the level text holds or breaks as it must; or
             // it passes, as it must
    elsewhere,  // it fails, but for another reason
    at_text,    // its first failure is charged to its clause, but the level text ends in another way than it
                // must
    survived,   // it passes
    broken,     // it could not be tried
  } end = End::broken;
  Record failure;           // the first one, if it fails
  std::string why;          // if it could not be tried
  std::string text_clause;  // the clause that breaks the level text; empty: it holds
  // The failing cases that the sample has only as witnesses, or has not.
  std::vector<std::string> witnesses;
  std::string_view inference = {};  // of a worker: with or without inference
};

// Certifies the library or worker that `isolate` names in the usual way: its claim, the plan, a separate
// process, the judge; once for each of these definitions.  A few cases of the tier are asked first, and all
// of them if these do not charge the mutant's clause; both begin with the smallest, and end at the first
// failure. If its clause counts only at the level full, a sample is asked for something that breaks the level
// text.
std::vector<Trial> try_mutant(const Mutant& mutant, const std::vector<DefinitionId>& definitions,
                              IsolateOptions isolate, Plans& plans, const std::atomic<bool>& interrupted);

// The result of the whole plan, or of its cases of one definition, until the first failure: what `certify`
// would print.
struct Certification {
  std::optional<Summary> summary;  // nothing: it could not be loaded
  std::string why;
};
Certification certify_library(IsolateOptions isolate, Plans& plans, Tier tier,
                              std::optional<DefinitionId> definition, const std::atomic<bool>& interrupted);

}  // namespace certile::conformance
