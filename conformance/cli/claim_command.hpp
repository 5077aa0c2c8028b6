#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/cli/limits.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/facts/claim.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns a claim of everything, with the name and the shape inference of `own`: what a backend is asked
// where its own claim is not to limit the questions.
Claim widest_claim(const Claim& own);

inline constexpr std::int64_t most_axes_asked = 64;
inline constexpr std::int64_t largest_size = std::int64_t{1} << 22;
// Returns cases that find limits: every rank up to `most_axes_asked`, and sizes that double up to
// `largest_size` elements, for each definition of the claim and for a few of its types.
std::vector<std::string> limit_ladders(const Claim& claim);

// The answers of a backend, and the claim that may honestly be made of them.
class ClaimProposal {
 public:
  // Adds a case and its answer; the same case again changes nothing.  Error: of the oracles.
  Result<Done> add(const PlannedCase& planned, const Record& record);

  // Leaves out of the widest claim what fails or is not supported, until nothing does that a narrower claim
  // could leave out.  Returns nothing if nothing works.  The largest rank and size of a right answer limit
  // it.
  std::optional<Claim> claim(const Claim& widest) const;

  struct Asked {
    Case question;
    std::string literal;
    Expectation expected;  // without elements
    bool works = false;
    bool is_wrong = false;  // answered wrongly, rather than declined
    std::string words;      // why it does not work
  };
  // Returns the cases within the claim that do not work.
  std::vector<const Asked*> failing(const Claim& claim) const;
  const std::vector<Asked>& asked() const noexcept { return asked_; }
  bool has(const std::string& literal) const { return known_.contains(literal); }

 private:
  std::vector<Asked> asked_;
  std::unordered_map<std::string, std::size_t> known_;
};

// The options of `certile claim BACKEND`.
struct ClaimOptions {
  std::string backend, tier = "core";
  bool as_python = false, as_json = false;
  std::optional<Budget> budget = {};  // of each round
  int jobs = 1;
};

// Asks the backend everything, whatever it claims, and prints the claim that it may honestly make on `out`,
// and sentences about it on `error`.  Returns the exit code: 0; 1 if something fails that the claim does not
// leave out, or must be refused first; 5 if nothing works.
int claim_command(const ClaimOptions& options, const Limits& limits, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
