#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/report_command.hpp"

namespace certile::conformance {

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
