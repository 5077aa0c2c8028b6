#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "conformance/plan/budget.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The part of a plan that a case is from: one of the generators of tiers/, a corpus, or the command line.
enum class Generator : std::uint8_t {
#define GENERATOR(name) name,
#include "conformance/plan/generators.inc"
#undef GENERATOR
};
inline constexpr std::size_t generator_count = 0
#define GENERATOR(name) +1
#include "conformance/plan/generators.inc"
#undef GENERATOR
    ;

// Returns the word for it: "small_shapes".
std::string_view name(Generator generator) noexcept;

enum class Tier { smoke, core, full, large };
std::string_view name(Tier tier) noexcept;
std::optional<Tier> tier_named(std::string_view name) noexcept;

struct PlanOptions {
  Tier tier = Tier::core;
  std::vector<DefinitionId> definitions = all_definitions();
  std::uint64_t seed = 1;
  std::optional<std::int64_t> random_cases;        // instead of the tier's own number
  std::vector<std::string> clauses;                // keep only cases that exercise one of these ids
  std::vector<std::string> literals;               // run these cases and no tier
  std::vector<std::string> corpora;                // the paths of corpus files: run their lines and no tier
  std::vector<std::string> also;                   // run these cases after those of a tier
  std::optional<Budget> budget = {};               // of a tier, keep only what is asked first
  const std::atomic<bool>* interrupted = nullptr;  // set from outside to stop the planning
};

// A case of a plan.  It is kept as its literal, because a plan of a million cases would need most of a
// gigabyte for what their literals say.
struct PlannedCase {
  std::string literal;                  // canonical
  std::vector<std::string_view> cites;  // clauses that have it as an example; usually none
  Generator generator = Generator::given;
  // True if the case tries something only after the case before it, as where one call must not remember
  // another.
  bool follows = false;

  // Reads the literal, which takes about a microsecond.
  Case question() const { return case_of(literal); }
};
// Makes a planned case without cites.
PlannedCase planned_case(const Case& question);
// Reads a literal as such a case.  Errors: as parse_case().
Result<PlannedCase> parse_planned_case(std::string_view literal);

// The cases to ask, each once, in order, and the identity of the whole.
struct Plan {
  std::vector<PlannedCase> cases;
  std::string digest;  // SHA-256, in hex, of the literals, each with a newline
  // By clause, literal, corpus or budget: such a run is PARTIAL at best.
  bool filtered = false;
  // With a budget: the number of cases without it, of which a number of cases keeps the first ones; the cases
  // are in the order of order.hpp.
  std::optional<std::int64_t> before_budget = {};
  // The corpora that its cases were taken from: those of PlanOptions, or the built-in ones.
  struct Corpus {
    std::string name;    // the path, or "conformance/plan/corpora/core.tile"
    std::string digest;  // SHA-256, in hex
    bool operator==(const Corpus&) const = default;
  };
  std::vector<Corpus> corpora;
};

// Makes a plan, which depends only on the claim, the transport and the options.  A definition outside the
// claim gets one case; so does a type.  Errors: bad_literal (a line of a corpus, with file and line; an
// expectation that the oracle does not share), io (a corpus that cannot be read or is empty, or an
// interruption), unsupported (a clause that is unknown, or that no case exercises).
Result<Plan> make_plan(const Claim& claim, Transport transport, const PlanOptions& options);

}  // namespace certile::conformance
