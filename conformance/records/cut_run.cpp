#include "conformance/records/cut_run.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/records/record_json.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// The names of fields of the header, for people.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> spoken{{
    {"certile", "version of certile"},
    {"backend_sha256", "binary's SHA-256"},
    {"backend_parts", "list of the worker's parts"},
    {"plan_sha256", "plan's SHA-256"},
    {"planned", "number of planned cases"},
    {"random_cases", "number of random cases"},
    {"requirements", "list of clauses"},
    {"cases", "list of cases"},
    {"also", "list of cases that waivers name"},
    {"corpora", "list of corpora"},
    {"corpora_read", "list of the corpora's SHA-256"},
    {"door", "way to the backend"},
    {"pages", "list of pages"},
    {"operators", "list of operators"},
}};

std::string shown(const Json& fields, const std::string& key) {
  constexpr std::size_t longest = 80;
  const auto found = fields.find(key);
  const std::string text = found == fields.end() ? "none" : dumped(*found);
  return text.size() <= longest ? printable(text) : std::string();
}

std::string line_of(const Json& json) {
  std::string line = dumped(json);
  escape_commands(line);
  return line;
}

std::string line_of(const Record& record) {
  std::string line;
  append_record_line(line, record);
  line.pop_back();
  escape_commands(line);
  return line;
}

Error other_run(const std::string& why) {
  return {Error::Code::bad_literal, "is of another run: " + why};
}

// Checks that a line is the header of the run, but for the machine that began it, and sets that machine.
Result<Done> check_header(const std::string& line, RunHeader& header) {
  const auto read = header_in(line);
  if (!read) return Error{Error::Code::bad_literal, "is not a file of records"};
  if (!*read) return read->error();
  const RunHeader& theirs = **read;
  if (const auto why = difference_between(theirs, header); !why.empty()) return other_run(why);
  if (theirs.spelling != header.spelling) return other_run("the backend was spelled " + theirs.spelling);
  if (theirs.part() != header.part()) return other_run("of " + theirs.part());
  if (theirs.shard) header.shard->host = theirs.shard->host;
  if (line_of(header_to_json(header)) != line) return other_run("its header is not the one of this run");
  return Done{};
}

Error about(const std::string& path, const Error& error) {
  return {error.code, printable(path) + " " + printable(error.what)};
}

// Reads a line that has its newline; one without was cut off.
bool next_line(ForeignLines& lines, std::string& line) {
  const auto read = lines.next(line);
  return read && *read;
}

// Returns the record of a case, if a run can go on behind its line.
std::optional<Record> kept_record(const std::string& line, const PlannedCase& planned,
                                  const RunHeader& header) {
  const Json json = foreign_json(line);
  if (json.is_discarded() || !json.is_object() || !json.contains("case")) return std::nullopt;
  auto record = record_from_json(json, header);
  if (!record || !record->law.empty() || record->literal != planned.literal) return std::nullopt;
  // A failure without an amendment was to be asked again when the run was stopped.
  const bool is_finished = record->now().reason != Reason::stopped &&
                           (record->judged.verdict != Verdict::fail || !record->amendments.empty());
  if (!is_finished || line_of(*record) != line) return std::nullopt;
  return *std::move(record);
}

}  // namespace

std::string difference_between(const RunHeader& seen, const RunHeader& wanted) {
  const Json left = header_to_json(seen).at("header"), right = header_to_json(wanted).at("header");
  std::vector<std::string> keys;
  for (const Json* fields : {&left, &right})
    for (const auto& [key, value] : fields->items())
      if (key != "shard" && key != "spelling") keys.push_back(key);
  for (const std::string& key : keys) {
    const auto one = left.find(key), other = right.find(key);
    if (one != left.end() && other != right.end() && *one == *other) continue;
    std::string_view name = key;
    for (const auto& [field, words] : spoken)
      if (field == key) name = words;
    const std::string theirs = shown(left, key), ours = shown(right, key);
    return "its " + std::string(name) + " is " +
           (theirs.empty() || ours.empty() ? "another" : theirs + ", and not " + ours);
  }
  return {};
}

Result<CutRun> read_cut_header(const std::string& path, RunHeader& header) {
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) return CutRun{};
  if (!file) return Error{Error::Code::io, "cannot read " + printable(path) + ": " + std::strerror(errno)};
  ForeignLines lines(file, path);
  std::string line;
  if (!next_line(lines, line)) {
    constexpr std::string_view begin = R"({"header":)";
    if (line.starts_with(begin) || begin.starts_with(line)) return CutRun{};
    return about(path, {Error::Code::bad_literal, "is not a file of records"});
  }
  if (const auto same = check_header(line, header); !same) return about(path, same.error());
  return CutRun{line.size() + 1, 0};
}

Result<CutRun> read_cut_run(const std::string& path, const RunHeader& header,
                            const std::vector<std::span<const PlannedCase* const>>& pieces,
                            const std::function<Result<Done>(Record&)>& on_record) {
  RunHeader again = header;
  auto cut = read_cut_header(path, again);
  if (!cut || cut->bytes == 0) return cut;
  std::ifstream file(path, std::ios::binary);
  ForeignLines lines_of_file(file, path);
  std::string line;
  next_line(lines_of_file, line);
  for (const auto& piece : pieces) {
    std::vector<std::pair<std::string, Record>> kept;
    for (const PlannedCase* planned : piece) {
      if (!next_line(lines_of_file, line)) return cut;
      auto record = kept_record(line, *planned, header);
      if (!record) return cut;
      kept.emplace_back(line, *std::move(record));
    }
    for (auto& [was, record] : kept) {
      std::erase_if(record.amendments,
                    [](const Amendment& each) { return each.by == Amendment::By::waiver; });
      if (const auto done = on_record(record); !done) return about(path, done.error());
      if (line_of(record) != was)
        return about(path, {Error::Code::bad_literal,
                            "has a record that waivers amend in another way today: " + record.literal});
      cut->bytes += was.size() + 1;
    }
    cut->cases += piece.size();
  }
  return cut;
}

}  // namespace certile::conformance
