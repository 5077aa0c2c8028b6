#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/run/crash_book.hpp"
#include "conformance/shards/shard_file.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The choice of the failures that one run of a whole plan would have asked again.  Each shard makes that
// choice for itself, and so asks more of them again; what the shards found of those is dropped.
class Ration {
 public:
  explicit Ration(bool shares_memory);

  // Settles the failures of a chunk of the plan.  Returns those that were changed.
  std::vector<Record*> settle(const std::vector<Record*>& failures);

 private:
  CrashBook book_;
};

// The records of all shards of a plan, which are those that one run of the whole plan would have written.
// Where a backend's answers depend on earlier calls or on the time, or where it crashes often, one run may
// have found something else.
class Merge {
 public:
  // Reads the files, and proves that they are whole; of one plan, which this program makes again; of one
  // certile, binary and claim; and disjoint and complete.  `at_least` is the smallest number of cases that
  // counts as a run. Errors: io; bad_literal with a sentence that names the file and the reason.
  static Result<Merge> of(const std::vector<std::string>& paths, std::int64_t at_least);
  Merge(Merge&&) noexcept;
  Merge& operator=(Merge&&) noexcept;
  ~Merge();

  // Returns the header of the whole run.
  const RunHeader& header() const noexcept;
  // Returns the files in the order of their shards.
  const std::vector<ShardFile>& files() const noexcept;

  // Passes on the records in the order of one run, with their lines, and then what only the footer has.
  // Errors: io, and those of `on_record`.
  using OnRecord = std::function<Result<Done>(const Record& record, std::string_view line)>;
  Result<Summary> each(const OnRecord& on_record) const;

 private:
  struct State;
  explicit Merge(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace certile::conformance
