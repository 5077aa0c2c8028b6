#include "conformance/records/record_json.hpp"

#include <utility>

#include "conformance/records/record_stream.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

namespace {

// Returns true for printable ASCII that JSON does not escape, such as every literal without strings.
bool is_plain(std::string_view text) noexcept {
  for (const char character : text) {
    if (character < ' ' || character > '~' || character == '"' || character == '\\') return false;
  }
  return true;
}

void append_string(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += dumped(Json(valid_utf8(text)));
  }
}

template <class Strings>
void append_strings(std::string& out, const Strings& strings) {
  char separator = '[';
  for (const auto& text : strings) {
    out += separator;
    append_string(out, text);
    separator = ',';
  }
  if (separator == '[') out += separator;
  out += ']';
}

void append_text_field(std::string& out, std::string_view key, std::string_view text) {
  out += key;
  append_string(out, text);
}

Error bad_record(const std::string& why) {
  return {Error::Code::bad_literal, "a record " + why};
}

void append_fault(std::string& out, Fault fault) {
  if (fault != Fault::none) append_text_field(out, R"(,"fault":)", name(fault));
}

void append_charge(std::string& out, const Finding& finding, const char* charged, const char* words) {
  if (!finding.charged.empty()) append_text_field(out, charged, finding.charged);
  if (!finding.words.empty()) append_text_field(out, words, finding.words);
  if (finding.reason != Reason::none) append_text_field(out, R"(,"reason":)", name(finding.reason));
}

void append_amendment(std::string& out, const Amendment& amendment) {
  append_text_field(out, R"({"by":)", name(amendment.by));
  append_text_field(out, R"(,"verdict":)", name(amendment.verdict));
  append_fault(out, amendment.fault);
  append_charge(out, amendment, R"(,"clause":)", R"(,"words":)");
  if (!amendment.reproduce.empty()) {
    out += R"(,"reproduce":)";
    append_strings(out, amendment.reproduce);
  }
  out += '}';
}

void append_output(std::string& out, const SmallOutput& output) {
  append_text_field(out, R"(,"output":)", output.elements);
  if (output.unwritten.empty()) return;
  out += R"(,"unwritten":)";
  out += dumped(Json(output.unwritten));
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? std::string() : found->get<std::string>();
}

// Returns the id as stored in a page or in the header, so that it outlives the record.
Result<std::string_view> lasting_id(const std::string& id, const RunHeader& header) {
  if (id.empty()) return std::string_view();
  const Clause* clause = find_clause(id);
  if (clause == nullptr) clause = header.clause(id);
  if (clause != nullptr) return std::string_view(clause->id);
  return bad_record("names the clause " + id + ", which neither its header nor this certile has");
}

Result<Done> get_finding(const Json& json, const RunHeader& header, const char* charged, const char* words,
                         Finding& finding) {
  const auto verdict = verdict_named(json.at("verdict").get_ref<const std::string&>());
  const auto fault = json.contains("fault") ? fault_named(text_in(json, "fault")) : Fault::none;
  const auto reason = reason_named(text_in(json, "reason"));
  if (!verdict || !fault || !reason) return bad_record("has an unknown verdict, fault or reason");
  const auto id = lasting_id(text_in(json, charged), header);
  if (!id) return id.error();
  finding = {*verdict, *fault, *id, text_in(json, words), *reason};
  return Done{};
}

Result<Amendment> amendment_from_json(const Json& json, const RunHeader& header) {
  Amendment amendment;
  const auto author = author_named(json.at("by").get_ref<const std::string&>());
  if (!author) return bad_record("has an amendment by an unknown author");
  amendment.by = *author;
  if (auto done = get_finding(json, header, "clause", "words", amendment); !done) return done.error();
  amendment.reproduce = json.value("reproduce", std::vector<std::string>());
  return amendment;
}

}  // namespace

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Writes JSON without the library, because this runs for 100,000 cases a second.  A record of thirteen
// clauses costs 0.22 µs.  Through a Json object, even one that is reused for every record, it costs 1.1 µs, a
// ninth of the time of a case.
void append_record_line(std::string& out, const Record& record) {
  const Judgement& judged = record.judged;
  append_text_field(out, R"({"backend":)", record.backend);
  append_text_field(out, R"(,"case":)", record.literal);
  append_text_field(out, R"(,"operator":)", name(record.definition));
  append_text_field(out, R"(,"type":)", name(record.type));
  append_text_field(out, R"(,"verdict":)", name(judged.verdict));
  if (!record.law.empty()) append_text_field(out, R"(,"law":)", record.law);
  const bool passes = judged.verdict == Verdict::pass || record.now().verdict == Verdict::pass;
  if (judged.vacuous && passes) out += R"(,"vacuous":true)";
  append_fault(out, judged.fault);
  out += R"(,"exercised":)";
  append_strings(out, judged.exercised);
  append_charge(out, judged, R"(,"violated":)", R"(,"explanation":)");
  if (judged.output) append_output(out, *judged.output);
  if (!record.amendments.empty()) {
    out += R"(,"amended":)";
    char separator = '[';
    for (const Amendment& amendment : record.amendments) {
      out += separator;
      append_amendment(out, amendment);
      separator = ',';
    }
    out += ']';
  }
  out += "}\n";
}

Result<Record> record_from_json(const Json& json, const RunHeader& header) {
  Record record;
  try {
    json.at("backend").get_to(record.backend);
    json.at("case").get_to(record.literal);
    const auto definition = definition_named(json.at("operator").get_ref<const std::string&>());
    const auto type = element_type_named(json.at("type").get_ref<const std::string&>());
    if (!definition || !type) return bad_record("has an unknown operator or type");
    record.definition = *definition;
    record.type = *type;
    record.law = text_in(json, "law");
    Judgement& judged = record.judged;
    if (auto done = get_finding(json, header, "violated", "explanation", judged); !done) return done.error();
    judged.vacuous = json.contains("vacuous") && json.at("vacuous").get<bool>();
    if (json.contains("output"))
      judged.output = {text_in(json, "output"), json.value("unwritten", std::vector<std::int64_t>())};
    for (const Json& each : json.at("exercised")) {
      const auto id = lasting_id(each.get_ref<const std::string&>(), header);
      if (!id) return id.error();
      judged.exercised.push_back(*id);
    }
    // A record of format 1 has only the last finding, with the cases that reproduce it.
    if (json.contains("reproduce"))
      record.amendments.push_back(
          {static_cast<const Finding&>(judged), Amendment::By::diagnosis, json.at("reproduce")});
    if (const auto amended = json.find("amended"); amended != json.end())
      for (const Json& each : *amended) {
        auto amendment = amendment_from_json(each, header);
        if (!amendment) return amendment.error();
        record.amendments.push_back(*std::move(amendment));
      }
  } catch (const Json::exception& exception) {
    return bad_record(std::string("is malformed: ") + exception.what());
  }
  return record;
}

Json footer_to_json(const Summary& summary, const std::string& digest) {
  Json verdicts = Json::object();
  for (int index = 0; index < verdict_count; ++index) {
    const auto verdict = static_cast<Verdict>(index);
    verdicts[std::string(name(verdict))] = summary.count(verdict);
  }
  Json footer = {{"records", summary.recorded()},
                 {"verdicts", std::move(verdicts)},
                 {"vacuous", summary.vacuous()},
                 {"sha256", digest},
                 {"conformance", summary.verdict_line()}};
  if (summary.laws().tried > 0)
    footer["laws"] = {{"tried", summary.laws().tried}, {"broken", summary.laws().broken}};
  if (!summary.stale_waivers().empty()) footer["stale_waivers"] = summary.stale_waivers();
  if (!summary.incomplete().empty()) footer["incomplete"] = summary.incomplete();
  if (!summary.of_shard().idle_waivers.empty()) footer["idle_waivers"] = summary.of_shard().idle_waivers;
  if (!summary.of_shard().finished_on.empty())
    footer["finished_on"] = valid_utf8(summary.of_shard().finished_on);
  for (const Part& part : summary.loaded()) {
    Json file = {{"name", valid_utf8(part.name)}};
    if (!part.digest.empty()) file["sha256"] = part.digest;
    footer["loaded"].push_back(std::move(file));
  }
  return Json{{"footer", std::move(footer)}};
}

Result<RunFooter> footer_from_json(const Json& json) {
  RunFooter read;
  try {
    const Json& footer = json.at("footer");
    get_whole(footer.at("records"), read.records);
    get_whole(footer.at("vacuous"), read.vacuous);
    for (int index = 0; index < verdict_count; ++index) {
      const std::string key(name(static_cast<Verdict>(index)));
      get_whole(footer.at("verdicts").at(key), read.verdicts[static_cast<std::size_t>(index)]);
    }
    read.digest = text_in(footer, "sha256");
    footer.at("conformance").get_to(read.conformance);
    if (const auto laws = footer.find("laws"); laws != footer.end()) {
      get_whole(laws->at("tried"), read.laws.tried);
      get_whole(laws->at("broken"), read.laws.broken);
    }
    read.stale_waivers = footer.value("stale_waivers", std::vector<std::string>());
    read.incomplete = text_in(footer, "incomplete");
    read.of_shard = {footer.value("idle_waivers", std::vector<std::string>()),
                     text_in(footer, "finished_on")};
    if (const auto loaded = footer.find("loaded"); loaded != footer.end())
      for (const Json& each : *loaded)
        read.loaded.push_back({each.at("name"), {}, text_in(each, "sha256")});
  } catch (const Json::exception& exception) {
    return Error{Error::Code::bad_literal, std::string("the footer is malformed: ") + exception.what()};
  }
  return read;
}

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
