#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/report_command.hpp"
#include "conformance/plan/shard.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the value of an environment variable, or nothing.
using Variable = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> variable_of_process(const char* name);

// A shard that a scheduler gave to this process by environment variables.
struct GivenShard {
  Shard shard;
  std::string by;  // "GitLab, by CI_NODE_INDEX and CI_NODE_TOTAL"
};

// Reads the shard of `--shard auto` from the variables of the first scheduler that set its own, in the order
// of shard_schedulers().  A scheduler with one process in all is passed over for one with several.  Errors:
// bad_literal if no scheduler set its variables, one set them to what is no shard, or two with several
// processes disagree.
Result<GivenShard> shard_in_environment(const Variable& variable);

// Returns a line for each scheduler, in order: "GoogleTest: GTEST_SHARD_INDEX (from 0), GTEST_TOTAL_SHARDS".
std::vector<std::string> shard_schedulers();

// Creates the files by which a test says to GoogleTest or Bazel that it knows shards.  Error: io.
Result<Done> touch_shard_status_files(const Variable& variable);

// Returns the name of this machine.
std::string host_name();

// The options of `certile merge FILE… --records OUT`.
struct MergeOptions {
  std::vector<std::string> shards;  // paths
  std::string records, hosts;       // paths; no hosts: empty
  std::int64_t at_least = 1;        // the smallest number of cases that counts as a run
  ReportOptions report;             // of the merged records
};

// Writes the records that one run of the whole plan would have written, from those of its shards, and the
// reports that `certify` would have written.  Returns the exit code of the verdict; 2 if the files are not
// the shards of one run.
int merge_command(MergeOptions options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
