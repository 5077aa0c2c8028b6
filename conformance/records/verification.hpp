#pragma once
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/records/record_stream.hpp"
#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The result of one check of a run.
struct Check {
  std::string_view subject;  // "plan"
  bool holds = true;
  std::string sentence;  // the fact that holds, or the first violation
};

// The checks of one run of a file.
struct Verification {
  std::string run;  // the backend's name and version
  std::vector<Check> checks;
  std::string limited_to;  // "shard 2 of 7": the only thing that such records vouch for; empty: the whole run
  Summary summary;
  bool is_given_up = false;  // because too many records were wrong
  bool holds() const noexcept;
};

// Recomputes, for each run of a file of records, its digest and counts, its plan, the oracles' expectation of
// each case, the clauses that the case exercises, and the verdict line.  The answers of the backend are not
// checked; only a signature can vouch for them.  After a thousand records that are wrong, the rest is not
// read.  Passes headers and records to `also` too, so that what is used later is what was verified.  Errors:
// as read_records, except for footers.
Result<std::vector<Verification>> verify_records(const std::string& path, const RecordListener& also = {});
// Does the same for a stream, which error messages call `named`, and for no more than `most` bytes.
Result<std::vector<Verification>> verify_records(std::istream& file, const std::string& named,
                                                 const RecordListener& also = {},
                                                 std::uint64_t most = ForeignLines::most_bytes);

}  // namespace certile::conformance
