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
  // Takes the digest of the lines that the file has of a run already.
  explicit FileRecordWriter(OutputFile file, std::unique_ptr<Sha256> digest = nullptr)
      : file_(std::move(file)), digest_(std::move(digest)) {
    buffer_.reserve(2 * buffered_bytes);
  }

  // Keeps the records of an abandoned run; the missing footer shows that the run is incomplete.
  ~FileRecordWriter() override { static_cast<void>(flush()); }

  Result<Done> header(const RunHeader& header) override {
    digest_ = std::make_unique<Sha256>();
    buffer_ += dumped(header_to_json(header));
    buffer_ += '\n';
    return flush();
  }

  Result<Done> record(const Record& record) override {
    append_record_line(buffer_, record);
    return buffer_.size() < buffered_bytes ? Result<Done>(Done{}) : flush();
  }

  Result<Done> line(std::string_view record) override {
    buffer_ += record;
    buffer_ += '\n';
    return buffer_.size() < buffered_bytes ? Result<Done>(Done{}) : flush();
  }

  Result<Done> footer(const Summary& summary) override {
    if (auto done = flush(); !done) return done;
    buffer_ += dumped(footer_to_json(summary, digest_->hex_so_far()));
    buffer_ += '\n';
    if (auto done = flush(); !done) return done;
    run_digest_ = digest_->hex();
    digest_.reset();
    return file_.sync();
  }

  std::string run_digest() const override { return run_digest_; }

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
  std::unique_ptr<Sha256> digest_;  // of the lines of this run
  std::string run_digest_;
};

}  // namespace

Result<std::unique_ptr<RecordWriter>> RecordWriter::open(const std::string& path) {
  auto file = OutputFile::open(path);
  if (!file) return file.error();
  return std::unique_ptr<RecordWriter>(std::make_unique<FileRecordWriter>(std::move(*file)));
}

Result<std::unique_ptr<RecordWriter>> RecordWriter::reopen(const std::string& path, std::uint64_t bytes) {
  auto digest = std::make_unique<Sha256>();
  auto file = OutputFile::reopen(path, bytes, [&digest](std::string_view piece) { digest->add(piece); });
  if (!file) return file.error();
  return std::unique_ptr<RecordWriter>(
      std::make_unique<FileRecordWriter>(std::move(*file), std::move(digest)));
}

}  // namespace certile::conformance
