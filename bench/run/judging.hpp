#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "reference/values/case.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::bench {

// The largest output that the rig judges, because its guards and its second run cost many times the memory.
// Larger ones go to Entrant::check: one call in another process, every byte compared with the second oracle's
// answer.
inline constexpr std::uint64_t largest_in_rig = std::uint64_t{32} << 20;

struct Opinion {
  Verdict verdict = Verdict::not_run;
  std::string why;  // the reason, if it is not a pass
};

// Returns the judge's verdicts on one backend for these cases, by literal.  Each case runs in the isolated
// host process as `certile run` would run it.  An interrupt ends the judging early.  Errors as run_plan's.
Result<std::map<std::string, Opinion>> judge_in_rig(const std::string& program, const std::string& spelling,
                                                    const std::vector<Case>& cases);

// Returns the answer that Entrant::check compares with.  Errors: out_of_memory, and unsupported for strings,
// whose views mean nothing to another process.
Result<Tensor> large_answer(const Case& question);

}  // namespace certile::bench
