#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/certify_command.hpp"
#include "conformance/cli/file_conflicts.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/cli/merge_command.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/run_header.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the description of a run of `plan` that begins on this machine, without its waivers and its shard.
RunHeader described_run(const std::string& spelling, Started started, const JudgedFiles& files,
                        const Plan& plan, const RunOptions& run, const CertifyOptions& options);

// What is checked of the command line of `certify` before anything is started.

// Returns the exit code of a run that this error ends.
int exit_code_of(const Error& error) noexcept;

// Replaces "built-in" among the backends by the names of all that can run here.  Says which of them are slow
// and asked in smoke.
void name_built_in_backends(CertifyOptions& options, std::ostream& error);

// Returns a sentence if options cannot be given together.
std::optional<std::string> contradiction_in(const CertifyOptions& options);

std::vector<NamedFile> outputs_of(const CertifyOptions& options);
// Returns a sentence if the command line would overwrite an input, or write two outputs to one file.
std::optional<std::string> conflict_of(const CertifyOptions& options);

// Returns the shard that the value of --shard names; `by` is empty unless the environment was asked.  Errors:
// bad_literal, io.
Result<std::optional<GivenShard>> shard_of(const std::string& text);

}  // namespace certile::conformance
