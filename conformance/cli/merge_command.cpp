#include "conformance/cli/merge_command.hpp"

#include <sys/utsname.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/shards/merge.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {

namespace {

// A scheduler, and the variables by which it numbers its processes.
struct Scheduler {
  const char *name, *index, *total;
  std::int64_t first;  // the number of the first process
  // The variables for the number of the first process and for the step between two, if the scheduler has
  // them.
  const char *first_from = nullptr, *step_from = nullptr;
  bool may_lack_index = false;  // the total may be set for another scheduler, or alone for one process
};

constexpr std::array schedulers{
    Scheduler{"GoogleTest", "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0},
    Scheduler{"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},
    Scheduler{"the caller", "CERTILE_SHARD_INDEX", "CERTILE_SHARD_TOTAL", 0, nullptr, nullptr, true},
    Scheduler{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1, nullptr, nullptr, true},
    Scheduler{"Kubernetes", "JOB_COMPLETION_INDEX", "CERTILE_SHARD_TOTAL", 0, nullptr, nullptr, true},
    Scheduler{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN",
              "SLURM_ARRAY_TASK_STEP"},
    Scheduler{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", 0},
    Scheduler{"PMI", "PMI_RANK", "PMI_SIZE", 0},
};

Error bad(std::string sentence) {
  return {Error::Code::bad_literal, std::move(sentence)};
}

std::string variables_of(const Scheduler& scheduler) {
  return std::string(scheduler.index) + " and " + scheduler.total;
}

// Reads a whole number that is at most `most`.
Result<std::int64_t> number_in(const Variable& variable, const char* name, std::int64_t most) {
  const std::string text = variable(name).value_or("");
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (!text.empty() && read.ec == std::errc() && read.ptr == end && number >= 0 && number <= most)
    return number;
  return bad(std::string(name) + " is '" + printable(text) + "', which is no number from 0 to " +
             std::to_string(most));
}

// Returns the shard of a scheduler that set both of its variables.
Result<Shard> shard_by(const Scheduler& scheduler, const Variable& variable) {
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  const auto index = number_in(variable, scheduler.index, largest);
  if (!index) return index.error();
  const auto total = number_in(variable, scheduler.total, Shard::most);
  if (!total) return total.error();
  std::int64_t first = scheduler.first, step = 1;
  if (scheduler.first_from != nullptr && variable(scheduler.first_from)) {
    const auto read = number_in(variable, scheduler.first_from, largest);
    if (!read) return read.error();
    first = *read;
  }
  if (scheduler.step_from != nullptr && variable(scheduler.step_from)) {
    const auto read = number_in(variable, scheduler.step_from, largest);
    if (!read) return read.error();
    step = *read;
  }
  const std::int64_t place = *index - first;
  if (place < 0 || step == 0 || place % step != 0 || place / step >= *total)
    return bad(scheduler.index + std::string(" is ") + std::to_string(*index) + " and " + scheduler.total +
               " is " + std::to_string(*total) + ", which is no shard: the first one is " +
               std::to_string(first));
  return Shard{static_cast<int>(place / step) + 1, static_cast<int>(*total)};
}

}  // namespace

std::optional<std::string> variable_of_process(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> shard_schedulers() {
  std::vector<std::string> lines;
  for (const Scheduler& each : schedulers)
    lines.push_back(each.name + std::string(": ") + each.index + " (from " +
                    (each.first_from != nullptr ? std::string(each.first_from) : std::to_string(each.first)) +
                    "), " + each.total);
  return lines;
}

Result<GivenShard> shard_in_environment(const Variable& variable) {
  std::optional<GivenShard> found;
  for (const Scheduler& scheduler : schedulers) {
    const bool has_index = variable(scheduler.index).has_value(),
               has_total = variable(scheduler.total).has_value();
    if (!has_index && (!has_total || scheduler.may_lack_index)) continue;
    if (!has_index || !has_total)
      return bad(std::string(has_index ? scheduler.index : scheduler.total) + " is set and " +
                 (has_index ? scheduler.total : scheduler.index) + " is not");
    const auto shard = shard_by(scheduler, variable);
    if (!shard) return shard.error();
    const GivenShard given{*shard, std::string(scheduler.name) + ", by " + variables_of(scheduler)};
    if (!found || (found->shard.of == 1 && given.shard.of > 1)) {
      found = given;
    } else if (given.shard.of > 1 && given.shard != found->shard) {
      return bad("this is " + to_string(found->shard) + " to " + found->by + ", and " +
                 to_string(given.shard) + " to " + given.by + "; say which, as --shard " +
                 std::to_string(found->shard.index) + "/" + std::to_string(found->shard.of));
    }
  }
  if (found) return *found;
  std::string all;
  for (const std::string& line : shard_schedulers())
    all += "\n  " + line;
  return bad("no scheduler says which shard this is; --shard auto reads, in this order," + all);
}

Result<Done> touch_shard_status_files(const Variable& variable) {
  for (const char* name : {"GTEST_SHARD_STATUS_FILE", "TEST_SHARD_STATUS_FILE"})
    if (const auto path = variable(name); path && !path->empty())
      if (const auto written = write_whole_file(*path, ""); !written)
        return Error{written.error().code, std::string(name) + ": " + written.error().what};
  return Done{};
}

std::string host_name() {
  utsname system{};
  return uname(&system) == 0 ? system.nodename : "unknown";
}

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
    const auto summary =
        merge.each([&writer](const Record&, std::string_view line) { return (*writer)->line(line); });
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
  if (is_standard_output({"", options.records}) || (exists(status) && !is_regular_file(status)))
    return "--records needs a file, and " + printable(options.records) + " is none";
  std::vector<NamedFile> outputs = options.report.files.named(), inputs;
  outputs.push_back({"--records", options.records});
  outputs.push_back({"--hosts", options.hosts});
  for (const std::string& path : options.shards)
    inputs.push_back({"the records " + printable(path), path});
  return conflict_of(outputs, inputs);
}

}  // namespace

int merge_command(MergeOptions options, std::ostream& out, std::ostream& error) {
  const auto fail = [&error](const std::string& sentence) {
    error << "certile: " << sentence << std::endl;
    return exit_bad_command;
  };
  if (const auto conflict = conflict_of(options)) return fail(*conflict);
  std::string line;
  {
    const auto merge = Merge::of(options.shards, options.at_least);
    if (!merge) return fail(merge.error().what);
    if (const auto done = write_records(*merge, options.records); !done) return fail(done.error().what);
    if (!options.hosts.empty())
      if (const auto done = write_whole_file(options.hosts, hosts_file(merge->files())); !done)
        return fail(done.error().what);
    line = hosts_line(*merge);
  }
  error << "certile: " << line << std::endl;
  options.report.records = {options.records};
  return report_command(options.report, out, error);
}

}  // namespace certile::conformance
