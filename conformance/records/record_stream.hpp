#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/output_file.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A writer of the records of one or several runs as JSON lines: for each run a header, a line per case, and a
// footer.  A header without a footer is of a run that was cut short, which read_records reports as an error.
class RecordWriter {
 public:
  // Opens `path` for writing ("-" is standard output).  Error: io, with the system's reason.
  static Result<std::unique_ptr<RecordWriter>> open(const std::string& path);
  // Continues a run in the regular file at `path` after its first `bytes` bytes, which begin with the run's
  // header.
  static Result<std::unique_ptr<RecordWriter>> reopen(const std::string& path, std::uint64_t bytes);
  // Keeps the records of an abandoned run; the missing footer shows that the run is incomplete.
  ~RecordWriter() { static_cast<void>(flush()); }

  Result<Done> header(const RunHeader& header);
  Result<Done> record(const Record& record);
  // Writes a record that is a line already, without its newline.
  Result<Done> line(std::string_view record);
  // Writes the counts, the conformance and the number of records, and flushes all lines to the disk.
  Result<Done> footer(const Summary& summary);
  // Returns the SHA-256, in hex, of all lines of the run whose footer was written last.
  const std::string& run_digest() const noexcept { return run_digest_; }

 private:
  explicit RecordWriter(OutputFile file) : file_(std::move(file)) {}
  Result<Done> flush();
  Result<Done> flush_if_full();

  OutputFile file_;
  std::string buffer_;              // of lines, so that a record costs no system call
  std::unique_ptr<Sha256> digest_;  // of the lines of this run
  std::string run_digest_;
};

// Checks that a footer's counts and digest are those of the lines read.  Error: bad_literal.
Result<Done> check_footer(const RunFooter& said, const RunFooter& read);

// The callbacks for the lines of a file.  The ids in a record live as long as its header.
struct RecordListener {
  std::function<void(const RunHeader&)> header;
  std::function<void(const Record&)> record;
  std::function<Result<Done>(const RunFooter& said, const RunFooter& read)> footer = check_footer;
  std::function<bool()> has_enough = {};            // true once no further line has to be read
  std::function<void(std::string_view)> line = {};  // of any line, before it is read
};

// Returns a listener that passes headers and records to `also` too, if it has callbacks, and stops with it.
RecordListener with(RecordListener listener, const RecordListener& also);

// Reads a file of records, one run after the other.  Errors: io; bad_literal with the line number for a line
// that is not a record, a missing footer, or a footer that `listener` rejects, after the lines before it have
// been passed to `listener`.
Result<Done> read_records(const std::string& path, const RecordListener& listener);
// Reads records from a stream, which error messages call `named`, and no more than `most` bytes of it.
Result<Done> read_records(std::istream& file, const std::string& named, const RecordListener& listener,
                          std::uint64_t most = ForeignLines::most_bytes);

// Returns a listener that appends a summary of each run to `runs`, and checks its footer.
RecordListener listener_of(std::vector<Summary>& runs);

// Reads the summary of each run of a file, and passes headers and records to `also` too.  Errors: as
// read_records.
Result<std::vector<Summary>> read_runs(const std::string& path, const RecordListener& also = {});

}  // namespace certile::conformance
