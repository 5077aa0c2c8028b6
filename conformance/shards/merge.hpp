#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/run_header.hpp"
#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A file with the records of one shard.
struct ShardFile {
  std::string path;
  RunHeader header;
  RunFooter footer;
  std::int64_t records = 0;  // of planned cases
};

// The records of all shards of a plan, in the order of one run.  They give its verdict and the states of its
// clauses; each shard chooses for itself which of its failures it asks again.
class Merge {
 public:
  // Reads the files, and proves that they are whole; of one plan, which this program makes again; of one
  // certile, binary and claim; and disjoint and complete.  `at_least` is the smallest number of cases that
  // counts as a run. Errors: io; bad_literal with a sentence that names the file and the reason.
  static Result<Merge> of(const std::vector<std::string>& paths, std::int64_t at_least);

  // Returns the header of the whole run.
  const RunHeader& header() const noexcept { return header_; }
  // Returns the files in the order of their shards.
  const std::vector<ShardFile>& files() const noexcept { return files_; }

  // Passes on the lines of the records in the order of one run, and returns what the footer has.
  // Errors: io, and those of `on_line`.
  using OnLine = std::function<Result<Done>(std::string_view line)>;
  Result<Summary> each(const OnLine& on_line) const;

 private:
  Merge() = default;
  Result<Done> check_same_run() const;
  Result<Done> check_no_shard_twice() const;
  Result<Done> make_plan_again(std::int64_t at_least);
  Result<Done> read_records_of(std::size_t at,
                               const std::unordered_map<std::string_view, std::size_t>& numbers);
  Result<Done> hand_on_laws(Summary& summary, const OnLine& on_line) const;
  std::vector<std::string> stale_waivers() const;

  RunHeader header_;
  std::vector<ShardFile> files_;
  Plan plan_;
  // The place of a record: its file, and its line there, which is read once more.
  struct Place {
    std::size_t file;
    std::uint64_t offset = 0;
    std::size_t hash = 0;
  };
  std::vector<Place> places_;  // of each case of the plan
  std::vector<Record> law_records_;
};

}  // namespace certile::conformance
