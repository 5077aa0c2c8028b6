#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Outputs above this are not judged in the rig, whose guards and second run cost many times the memory, but
// by Entrant::check: one call in another process, every byte compared with the second oracle's answer.
inline constexpr std::uint64_t largest_in_rig = std::uint64_t{32} << 20;

struct Opinion {
  Verdict verdict = Verdict::not_run;
  std::string why;  // where it is not a pass
};

// What the judge says of one backend on these cases, each asked in the isolated host process as `certile run`
// would; by literal.  An interrupt ends it early.  Errors as run_plan's.
Result<std::map<std::string, Opinion>> judge_in_rig(const std::string& program, const std::string& spelling,
                                                    const std::vector<std::string>& literals);

// The answer that Entrant::check compares with.  Errors: out_of_memory, and unsupported for strings, whose
// views say nothing to another process.
Result<Tensor> large_answer(const std::string& literal);

}  // namespace certile
