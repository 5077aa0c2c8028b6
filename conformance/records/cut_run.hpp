#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/run_header.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The beginning of a file of records whose run was cut short, as far as a run can go on from there.
struct CutRun {
  std::uint64_t bytes = 0;  // of the header and the records that are kept; 0: the file has not even a header
  std::size_t cases = 0;    // that have such a record
};

// Reads the header of such a file, which must be the given one but for the machine that began the run, and
// sets that machine.  A file that does not exist has no header.  Errors: io; bad_literal if the file has
// something else, or is of another run, with what differs.
Result<CutRun> read_cut_header(const std::string& path, RunHeader& header);

// Reads the records of whole `pieces`, from the first one on, which are asked in a fresh process each.  A
// record of a case that was not run because the run was stopped, a line that is cut off, and everything after
// them, are not kept. Passes each record to `on_record`, without what waivers did to it; the record that
// `on_record` makes of it must be the line of the file again.  Errors: as read_cut_header; bad_literal if
// waivers now do something else.
Result<CutRun> read_cut_run(const std::string& path, const RunHeader& header,
                            const std::vector<std::span<const PlannedCase* const>>& pieces,
                            const std::function<Result<Done>(Record&)>& on_record);

// Returns what the headers of two runs disagree about, as "its seed is 2, and not 1", or nothing.  The shard
// and the spelling of the backend's path do not matter here.
std::string difference_between(const RunHeader& seen, const RunHeader& wanted);

}  // namespace certile::conformance
