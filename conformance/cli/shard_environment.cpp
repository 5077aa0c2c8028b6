#include "conformance/cli/shard_environment.hpp"

#include <sys/utsname.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

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

}  // namespace certile::conformance
