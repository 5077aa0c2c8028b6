#include <cerrno>
#include <cstring>
#include <fstream>

#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/text/printable.hpp"

namespace certile {
namespace {

// Reads line after line and holds each run together.
class RecordsReader {
 public:
  RecordsReader(const std::function<void(const RunHeader&)>& on_header,
                const std::function<void(const Record&)>& on_record)
      : on_header_(on_header), on_record_(on_record) {}

  Result<Done> line(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return bad("not a JSON object");
    if (json.contains("header")) return header(json);
    if (!open_) return bad("comes before any header");
    return json.contains("footer") ? footer(json) : record(json);
  }

  // At the end of the file.
  Result<Done> end() const {
    if (open_) return bad("the file ends without a footer: this run was cut short");
    if (runs_ == 0) return bad("there is no header: this is not a file of records");
    return Done{};
  }

 private:
  Result<Done> header(const Json& json) {
    if (open_) return bad("a header before the footer of the run before: that run was cut short");
    auto header = header_from_json(json);
    if (!header) return header.error();
    open_ = true;
    ++runs_;
    counts_ = {};
    on_header_(*header);
    return Done{};
  }

  Result<Done> record(const Json& json) {
    auto record = record_from_json(json);
    if (!record) return record.error();
    ++counts_.records;
    ++counts_.verdicts[static_cast<std::size_t>(record->verdict)];
    if (record->vacuous) ++counts_.vacuous;
    on_record_(*record);
    return Done{};
  }

  Result<Done> footer(const Json& json) {
    auto counts = footer_from_json(json);
    if (!counts) return counts.error();
    open_ = false;
    if (*counts == counts_) return Done{};
    return bad("the footer counts other records than there are: " + std::to_string(counts->records) +
               " against " + std::to_string(counts_.records) + ", or other verdicts among them");
  }

  static Error bad(std::string why) { return {Error::Code::bad_literal, std::move(why)}; }

  const std::function<void(const RunHeader&)>& on_header_;
  const std::function<void(const Record&)>& on_record_;
  bool open_ = false;  // between a header and its footer
  int runs_ = 0;
  FooterCounts counts_;
};

}  // namespace

Result<Done> read_records(const std::string& path, const std::function<void(const RunHeader&)>& on_header,
                          const std::function<void(const Record&)>& on_record) {
  std::ifstream file(path);
  if (!file) return Error{Error::Code::io, "cannot read " + printable(path) + ": " + std::strerror(errno)};
  return read_records(file, path, on_header, on_record);
}

Result<Done> read_records(std::istream& file, const std::string& named,
                          const std::function<void(const RunHeader&)>& on_header,
                          const std::function<void(const Record&)>& on_record) {
  RecordsReader reader(on_header, on_record);
  std::int64_t number = 0;
  const auto at_line = [&](const Error& error) {
    return Error{error.code, printable(named) + ":" + std::to_string(number) + ": " + printable(error.what)};
  };
  for (std::string text; std::getline(file, text);) {
    ++number;
    // The last line of a whole file ends; one that does not was cut in the middle, and end() has the words
    // for that.
    if (file.eof()) break;
    if (auto done = reader.line(text); !done) return at_line(done.error());
  }
  if (file.bad())
    return Error{Error::Code::io, "cannot read " + printable(named) + ": " + std::strerror(errno)};
  if (auto done = reader.end(); !done) return at_line(done.error());
  return Done{};
}

}  // namespace certile
