#include <unistd.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string_view>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/shards/merge.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

namespace {

// Returns a line of JSON for each shard, in their order.
std::string hosts_file(const std::vector<ShardFile>& files) {
  std::string text;
  for (const ShardFile& file : files) {
    const ShardOfRun& shard = *file.header.shard;
    Json line = {{"shard", shard.shard.index},    {"of", shard.shard.of}, {"host", valid_utf8(shard.host)},
                 {"file", valid_utf8(file.path)}, {"cases", shard.cases}, {"sha256", file.footer.digest}};
    if (!file.footer.of_shard.finished_on.empty())
      line["finished_on"] = valid_utf8(file.footer.of_shard.finished_on);
    text += dumped(line) + "\n";
  }
  return text;
}

// Returns "7 shards, of 27,487 cases: 4 of host a, 3 of host b".
std::string hosts_line(const Merge& merge) {
  std::map<std::string, std::int64_t> hosts;
  for (const ShardFile& file : merge.files()) {
    const std::string& ended_on = file.footer.of_shard.finished_on;
    ++hosts[file.header.shard->host + (ended_on.empty() ? "" : " and " + ended_on)];
  }
  std::vector<std::string> counts;
  for (const auto& [host, shards] : hosts)
    counts.push_back(with_thousands(shards) + " of host " + printable_name(host));
  return counted(static_cast<std::int64_t>(merge.files().size()), "shard") + ", of " +
         counted(merge.header().planned, "case") + ": " + joined(counts, ", ");
}

// Writes the records to another file first, so that no reader takes a part of them for all.
Result<Done> write_records(const Merge& merge, const std::string& path) {
  const std::string part = path + "." + std::to_string(getpid()) + ".part";
  const auto write = [&]() -> Result<Done> {
    auto writer = RecordWriter::open(part);
    if (!writer) return writer.error();
    if (auto done = (*writer)->header(merge.header()); !done) return done;
    const auto summary = merge.each([&writer](std::string_view line) { return (*writer)->line(line); });
    if (!summary) return summary.error();
    return (*writer)->footer(*summary);
  };
  Result<Done> done = write();
  std::error_code failed;
  if (done) std::filesystem::rename(part, path, failed);
  if (done && !failed) return done;
  std::error_code none;
  std::filesystem::remove(part, none);
  return done ? Error{Error::Code::io, "cannot write " + printable(path) + ": " + failed.message()} : done;
}

std::optional<std::string> conflict_of(const MergeOptions& options) {
  std::error_code none;
  const auto status = std::filesystem::status(options.records, none);
  if (options.records == "-" || (exists(status) && !is_regular_file(status)))
    return "--records needs a file, and " + printable(options.records) + " is none";
  std::vector<NamedFile> outputs = options.report.files.named(), inputs;
  outputs.push_back({"--records", options.records});
  outputs.push_back({"--hosts", options.hosts});
  add_named(inputs, "the records", options.shards);
  return conflict_of(outputs, inputs);
}

}  // namespace

int merge_command(MergeOptions options, std::ostream& out, std::ostream& error) {
  if (const auto conflict = conflict_of(options)) return complain(error, *conflict);
  {
    const auto merge = Merge::of(options.shards, options.at_least);
    if (!merge) return complain(error, merge.error().what);
    if (const auto done = write_records(*merge, options.records); !done)
      return complain(error, done.error().what);
    if (!options.hosts.empty())
      if (const auto done = write_whole_file(options.hosts, hosts_file(merge->files())); !done)
        return complain(error, done.error().what);
    complain(error, hosts_line(*merge));
  }
  options.report.records = {options.records};
  return report_command(options.report, out, error);
}

}  // namespace certile::conformance
