#include "conformance/records/record_stream.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

#include "conformance/records/record_json.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

Result<std::unique_ptr<RecordWriter>> RecordWriter::open(const std::string& path) {
  TRY(auto file, OutputFile::open(path));
  return std::unique_ptr<RecordWriter>(new RecordWriter(std::move(file)));
}

Result<std::unique_ptr<RecordWriter>> RecordWriter::reopen(const std::string& path, std::uint64_t bytes) {
  auto digest = std::make_unique<Sha256>();
  auto file = OutputFile::reopen(path, bytes, [&digest](std::string_view piece) { digest->add(piece); });
  if (!file) return file.error();
  std::unique_ptr<RecordWriter> writer(new RecordWriter(std::move(*file)));
  writer->digest_ = std::move(digest);
  return writer;
}

Result<Done> RecordWriter::header(const RunHeader& header) {
  digest_ = std::make_unique<Sha256>();
  buffer_ += dumped(header_to_json(header)) + "\n";
  return flush();
}

Result<Done> RecordWriter::record(const Record& record) {
  append_record_line(buffer_, record);
  return flush_if_full();
}

Result<Done> RecordWriter::line(std::string_view record) {
  buffer_ += record;
  buffer_ += '\n';
  return flush_if_full();
}

Result<Done> RecordWriter::footer(const Summary& summary) {
  if (auto done = flush(); !done) return done;
  buffer_ = dumped(footer_to_json(summary, digest_->hex_so_far())) + "\n";
  if (auto done = flush(); !done) return done;
  run_digest_ = digest_->hex();
  digest_.reset();
  return file_.sync();
}

Result<Done> RecordWriter::flush_if_full() {
  constexpr std::size_t full = std::size_t{1} << 16;
  return buffer_.size() < full ? Result<Done>(Done{}) : flush();
}

Result<Done> RecordWriter::flush() {
  escape_commands(buffer_);
  if (digest_) digest_->add(buffer_);
  Result<Done> done = file_.write(buffer_);
  buffer_.clear();
  return done;
}

namespace {

Error bad(std::string why) {
  return {Error::Code::bad_literal, std::move(why)};
}

// A reader that takes a file line by line, and checks that each run is complete.
class RecordsReader {
 public:
  explicit RecordsReader(const RecordListener& listener) : listener_(listener) {}

  Result<Done> line(const std::string& text) {
    if (listener_.line) listener_.line(text);
    const Json json = foreign_json(text);
    if (json.is_discarded() || !json.is_object()) return bad("not a JSON object");
    if (json.contains("header")) return header(json, text);
    if (!open_) return bad("comes before any header");
    if (json.contains("footer")) return footer(json, text);
    add_to_digest(text);
    return record(json);
  }

  // Checks that the file may end here.
  Result<Done> end() const {
    if (open_) return bad("the file ends without a footer: this run was cut short");
    if (runs_ == 0) return bad("there is no header: this is not a file of records");
    return Done{};
  }

 private:
  Result<Done> header(const Json& json, const std::string& text) {
    if (open_) return bad("the run before this header has no footer: it was cut short");
    TRY(auto header, header_from_json(json));
    open_ = true;
    ++runs_;
    read_ = {};
    digest_.emplace();
    add_to_digest(text);
    header_ = std::move(header);
    listener_.header(header_);
    return Done{};
  }

  Result<Done> record(const Json& json) {
    TRY(auto record, record_from_json(json, header_));
    ++read_.records;
    ++read_.verdicts[static_cast<std::size_t>(record.now().verdict)];
    if (record.is_vacuous()) ++read_.vacuous;
    listener_.record(record);
    return Done{};
  }

  Result<Done> footer(const Json& json, const std::string& text) {
    TRY(const auto said, footer_from_json(json));
    open_ = false;
    read_.digest = digest_->hex_so_far();
    add_to_digest(text);
    read_.run_digest = digest_->hex();
    return listener_.footer(said, read_);
  }

  void add_to_digest(const std::string& line) {
    digest_->add(line);
    digest_->add("\n");
  }

  const RecordListener& listener_;
  bool open_ = false;  // between a header and its footer
  int runs_ = 0;
  RunHeader header_;
  RunFooter read_;
  std::optional<Sha256> digest_;
};

}  // namespace

Result<Done> check_footer(const RunFooter& said, const RunFooter& read) {
  const auto wrong_count = [](std::int64_t counted, std::int64_t there, std::string_view of) {
    return bad("the footer's counts are wrong: it counts " + std::to_string(counted) + " " + std::string(of) +
               ", and the file has " + std::to_string(there));
  };
  if (said.records != read.records) return wrong_count(said.records, read.records, "records");
  for (std::size_t index = 0; index < said.verdicts.size(); ++index)
    if (said.verdicts[index] != read.verdicts[index])
      return wrong_count(said.verdicts[index], read.verdicts[index],
                         "with the verdict " + std::string(name(static_cast<Verdict>(index))));
  if (said.vacuous != read.vacuous) return wrong_count(said.vacuous, read.vacuous, "vacuous passes");
  if (!said.digest.empty() && said.digest != read.digest)
    return bad("the footer's SHA-256 is not that of the lines: a line was changed");
  return Done{};
}

Result<Done> read_records(const std::string& path, const RecordListener& listener) {
  TRY(const auto file, open_records(path));
  return read_records(*file, path, listener);
}

Result<Done> read_records(std::istream& file, const std::string& named, const RecordListener& listener,
                          std::uint64_t most) {
  ForeignLines lines(file, named, most);
  RecordsReader reader(listener);
  for (std::string text; !listener.has_enough || !listener.has_enough();) {
    TRY(const auto next, lines.next(text));
    if (const auto done = next ? reader.line(text) : reader.end(); !done)
      return lines.wrong(done.error().what);
    if (!next) break;
  }
  return Done{};
}

RecordListener with(RecordListener listener, const RecordListener& also) {
  if (also.header)
    listener.header = [header = std::move(listener.header), also = also.header](const RunHeader& read) {
      header(read);
      also(read);
    };
  if (also.record)
    listener.record = [record = std::move(listener.record), also = also.record](const Record& read) {
      record(read);
      also(read);
    };
  return listener;
}

RecordListener listener_of(std::vector<Summary>& runs) {
  return {[&runs](const RunHeader& header) { runs.emplace_back(header); },
          [&runs](const Record& record) { runs.back().add(record); },
          [&runs](const RunFooter& said, const RunFooter& read) {
            runs.back().close(said);
            runs.back().set_records_digest(read.run_digest);
            return check_footer(said, read);
          }};
}

Result<std::vector<Summary>> read_runs(const std::string& path, const RecordListener& also) {
  std::vector<Summary> runs;
  const RecordListener listener = with(listener_of(runs), also);
  if (const auto done = read_records(path, listener); !done) return done.error();
  return runs;
}

}  // namespace certile::conformance
