#include <optional>
#include <utility>

#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// The size of the buffer that collects lines, so that a record costs no system call.
constexpr std::size_t buffered_bytes = std::size_t{1} << 16;

class FileRecordWriter final : public RecordWriter {
 public:
  explicit FileRecordWriter(OutputFile file) : file_(std::move(file)) { buffer_.reserve(2 * buffered_bytes); }

  // Keeps the records of an abandoned run; the missing footer shows that the run is incomplete.
  ~FileRecordWriter() override { static_cast<void>(flush()); }

  Result<Done> header(const RunHeader& header) override {
    digest_.emplace();
    buffer_ += dumped(header_to_json(header));
    buffer_ += '\n';
    return flush();
  }

  Result<Done> record(const Record& record) override {
    append_record_line(buffer_, record);
    return buffer_.size() < buffered_bytes ? Result<Done>(Done{}) : flush();
  }

  Result<Done> footer(const Summary& summary) override {
    if (auto done = flush(); !done) return done;
    buffer_ += dumped(footer_to_json(summary, digest_->hex()));
    buffer_ += '\n';
    digest_.reset();
    if (auto done = flush(); !done) return done;
    return file_.sync();
  }

 private:
  Result<Done> flush() {
    escape_commands(buffer_);
    if (digest_) digest_->add(buffer_);
    Result<Done> done = file_.write(buffer_);
    buffer_.clear();
    return done;
  }

  OutputFile file_;
  std::string buffer_;
  std::optional<Sha256> digest_;  // of the lines of this run
};

}  // namespace

Result<std::unique_ptr<RecordWriter>> RecordWriter::open(const std::string& path) {
  auto file = OutputFile::open(path);
  if (!file) return file.error();
  return std::unique_ptr<RecordWriter>(std::make_unique<FileRecordWriter>(std::move(*file)));
}

}  // namespace certile::conformance
