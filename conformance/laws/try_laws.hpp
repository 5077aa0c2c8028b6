#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/laws/laws.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/plan/shard.hpp"
#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the record of a broken law, with what it takes to see the wrong answer again, as `reproduce`.  The
// law's calls are asked as separate cases, up to the first that fails; then that case alone, or after the
// shortest history.  If no separate case fails, the record is unchanged.  Errors: as a Session's.
Result<Record> explained(const LawFinding& broken, const IsolateOptions& options);

// The share of a plan on which the laws are tried.
struct LawShare {
  std::uint64_t seed = 1;
  int cases = 0;                    // for each law; an eighth for the one that makes thousands of calls
  std::optional<Shard> shard = {};  // only the laws of this shard, by their number
};

// Returns the share for a tier: a second or two of its time.
LawShare law_share(Tier tier, std::uint64_t seed) noexcept;

// Tries every law on a seeded share of the plan's cases, and passes on a record for each broken law: the call
// that was answered wrongly, the clause that is charged, and the law's name.  A broken law is not tried
// again, and no law after a hang.  Errors: io, and backend_failed if a law is broken by answers that the
// oracles find right.
Result<LawTally> try_laws(const Plan& plan, const LawShare& share, const IsolateOptions& isolate,
                          const std::atomic<bool>& interrupted,
                          const std::function<Result<Done>(const Record&)>& on_record);

}  // namespace certile::conformance
