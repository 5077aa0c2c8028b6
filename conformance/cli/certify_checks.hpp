#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/plan/shard.hpp"
#include "conformance/records/run_header.hpp"
#include "conformance/run/backend_start.hpp"

namespace certile::conformance {

// Returns the description of a run of `plan` that begins on this machine, without its waivers and its shard.
RunHeader described_run(const std::string& spelling, Started started, const JudgedFiles& files,
                        const Plan& plan, const RunOptions& run, const CertifyOptions& options);

// What is checked of the command line of `certify` before anything is started.

// Returns the exit code of a run that this error ends.
int exit_code_of(const Error& error) noexcept;

// Returns a sentence if options cannot be given together.
std::optional<std::string> contradiction_in(const CertifyOptions& options);

// Returns the files that the run reads.
std::vector<NamedFile> inputs_of(const CertifyOptions& options);

// Returns the value of an environment variable, or nothing.
using Variable = std::function<std::optional<std::string>(const char* name)>;

// A shard that a scheduler gave to this process by environment variables.
struct GivenShard {
  Shard shard;
  std::string by;  // "GitLab, by CI_NODE_INDEX and CI_NODE_TOTAL"
};

// Reads the shard of `--shard auto` from the variables of the first scheduler that set its own.  A scheduler
// with one process in all is passed over for one with several.  Errors: bad_literal if no scheduler set its
// variables, one set them to what is no shard, or two with several processes disagree.
Result<GivenShard> shard_in_environment(const Variable& variable);

// Returns the name of this machine.
std::string host_name();

// Returns the shard that the value of --shard names; `by` is empty unless the environment was asked.  Errors:
// bad_literal, io.
Result<std::optional<GivenShard>> shard_of(const std::string& text);

}  // namespace certile::conformance
