#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

#include "conformance/ask/asker.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Which share of a plan the laws are tried on.
struct LawShare {
  std::uint64_t seed = 1;
  int cases = 0;  // so many for each law; an eighth for the one that makes thousands of calls
};

// The share that goes with a tier: a second or two of its time.
LawShare law_share(Tier tier, std::uint64_t seed) noexcept;

// Tries every law on a seeded share of the plan's cases, and hands a record on for each law that is broken:
// the call that was answered wrongly, the clause it is charged to, and the law's name.  A broken law is not
// tried again, and after a hang no other is.  Errors: io, and backend_failed where a law is broken by answers
// that the oracles find right.
Result<LawTally> try_laws(const Plan& plan, const LawShare& share, const IsolateOptions& isolate,
                          const std::atomic<bool>& interrupted,
                          const std::function<Result<Done>(const Record&)>& on_record);

}  // namespace certile
