#pragma once
#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/report_files.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// The options of `certile certify BACKEND…`.
struct CertifyOptions {
  std::vector<std::string> backends;  // BACKEND spellings
  std::vector<std::string>
      in_smoke;  // those of them that are asked in smoke, whatever the tier of the others
  PlanOptions plan;
  bool tier_is_chosen = false;  // by the user
  Level level = Level::full;
  RunOptions run;
  bool shrink = false;  // shrink the first failure of each clause
  TextOptions text;
  std::string records;  // a path; empty: no records are written
  // "2/7", the second of seven shards of the plan; "auto": the shard that the environment names; empty: all.
  std::string shard;
  // The path of records that were cut short, which the run completes; empty: none.
  std::string resume;
  ReportFiles reports;
  // Each is the path of a file, or of a folder with a NAME.waivers for each backend; empty: none.
  std::string waivers, write_waivers;
  std::optional<std::chrono::year_month_day>
      today;  // the date on which waivers must be valid; else the clock's
};

// Plans, runs, judges and reports each backend in turn.  A backend that cannot be loaded does not affect the
// others.  The report goes to `out`, everything else to `error`.  Returns the exit code.
int certify_command(const CertifyOptions& options, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
