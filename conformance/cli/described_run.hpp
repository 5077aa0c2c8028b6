#pragma once
#include <string>

#include "conformance/cli/certify_command.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/run_header.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// Returns the description of a run of `plan` that begins on this machine, without its waivers and its shard.
RunHeader described_run(const std::string& spelling, Started started, const JudgedFiles& files,
                        const Plan& plan, const RunOptions& run, const CertifyOptions& options);

}  // namespace certile::conformance
