#pragma once
#include <cstdio>
#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The records of one or several runs as JSON lines: per run one header, a line per case, one footer.  A file
// without the footer of each header is of a run that was cut short, which read_records reports as an error.
class RecordWriter {
 public:
  // Opens `path` for writing ("-" is standard output).  Error io with the system's reason.
  static Result<std::unique_ptr<RecordWriter>> open(const std::string& path);
  virtual ~RecordWriter() = default;

  virtual Result<Done> header(const RunHeader& header) = 0;
  virtual Result<Done> record(const Record& record) = 0;
  // Counts, conformance and the number of records; then everything is written to the disk.
  virtual Result<Done> footer(const Summary& summary) = 0;
};

// Returns the error of a footer that counts other records than were read, or has the digest of other lines.
Result<Done> check_footer(const RunFooter& said, const RunFooter& read);

// What is done with a file, line by line.  The ids in a record live as long as its header.
struct RecordListener {
  std::function<void(const RunHeader&)> header;
  std::function<void(const Record&)> record;
  std::function<Result<Done>(const RunFooter& said, const RunFooter& read)> footer = check_footer;
};

// Reads such a file back, one run after the other.  bad_literal with the line number for what is not a
// record, a missing footer, or what `listener` says of a footer; what was read until then has been handed on.
Result<Done> read_records(const std::string& path, const RecordListener& listener);
// The same of a stream, whose errors speak of `named`.
Result<Done> read_records(std::istream& file, const std::string& named, const RecordListener& listener);

// Folds each run of a file; its footer must be that of its records.
Result<std::vector<Summary>> read_runs(const std::string& path);

}  // namespace certile
