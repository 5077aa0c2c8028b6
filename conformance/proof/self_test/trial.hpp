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
#include "conformance/run/run_plan.hpp"

namespace certile {

// Plans by claim, definition and order: mutants with the same claim are asked the same questions.
class Plans {
 public:
  enum class Order {
    tier,            // as everybody is asked
    smallest_first,  // by elements of the data, then shortest, then the order of literals
    few,             // of these, the pages' examples and 1,000 more: a worker takes a hundred times as long
    for_text,        // of these, the same, 10,000 in longer tiers than smoke, without concurrent calls: those
                     // take most of the time
  };

  explicit Plans(Tier tier) : tier_(tier) {}
  // The tier's plan for this claim; of one definition, or of all.
  Result<std::shared_ptr<const Plan>> get(const Description& claim, std::optional<DefinitionId> definition,
                                          Order order);

 private:
  Tier tier_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Plan>> made_;
};

// Milliseconds: a mutant that hangs does so at once, and one that does not answers within microseconds.
inline constexpr int time_limit_of_mutants = 1'000;

// What became of one mutant with one definition.
struct Trial {
  const Mutant* mutant = nullptr;
  DefinitionId definition{};
  enum class End {
    killed,     // its first failure is charged to its clause, and the level text holds or breaks as it must;
                // or it passes, where it must
    elsewhere,  // it fails, and for something else
    at_text,    // its first failure is charged to its clause, and the level text ends otherwise than it must
    survived,   // it passes
    broken,     // it could not be tried
  } end = End::broken;
  Record failure;              // the first one, where it fails
  std::string why;             // where it could not be tried
  std::string text_clause;     // what breaks the level text; empty: it holds
  std::string_view door = {};  // of a worker: how it was asked
};

// Certifies the library or worker that `isolate` names as anyone's is certified: its claim, the plan, its own
// process, the judge; once for each of these definitions.  The plan is asked smallest case first and
// abandoned at the first failure, so that this failure is that of the smallest case.  Where its clause counts
// at the level full alone, the plan is asked on until something breaks the level text.
std::vector<Trial> try_mutant(const Mutant& mutant, const std::vector<DefinitionId>& definitions,
                              IsolateOptions isolate, Plans& plans, const std::atomic<bool>& interrupted);

// The whole plan, as it is, until the first failure: what `certify` would say.
struct Certification {
  std::optional<Summary> summary;  // nothing: it could not be loaded
  std::string why;
};
Certification certify_library(IsolateOptions isolate, Plans& plans, Tier tier,
                              const std::atomic<bool>& interrupted);

}  // namespace certile
