#pragma once
#include <cstdio>
#include <functional>
#include <istream>
#include <memory>
#include <string>

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

// Reads such a file back, one run after the other.  bad_literal with the line number for what is not a
// record, a missing footer, or a footer that counts other records than there are; what was read until then
// has been handed on.
Result<Done> read_records(const std::string& path, const std::function<void(const RunHeader&)>& on_header,
                          const std::function<void(const Record&)>& on_record);
// The same of a stream, whose errors speak of `named`.
Result<Done> read_records(std::istream& file, const std::string& named,
                          const std::function<void(const RunHeader&)>& on_header,
                          const std::function<void(const Record&)>& on_record);

}  // namespace certile
