#include "conformance/cli/certify_checks.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "conformance/text/version.hpp"
#include "conformance/waivers/waiver.hpp"

namespace certile::conformance {

RunHeader described_run(const std::string& spelling, Started started, const JudgedFiles& files,
                        const Plan& plan, const RunOptions& run, const CertifyOptions& options) {
  Claim& claim = *started.claim;
  RunHeader header;
  header.certile_version = version;
  header.certile_commit = built_from().commit;
  header.certile_dirty = built_from().dirty;
  header.environments = {this_environment()};
  header.spelling = spelling;
  header.backend_digest = files.digest(claim);
  if (backends::worker_command(spelling)) header.parts = files.parts();
  header.parts.insert(header.parts.end(), claim.parts.begin(), claim.parts.end());
  header.claim = std::move(claim);
  header.transport = started.transport;
  header.options = options.plan;
  header.level = options.level;
  header.plan_digest = plan.digest;
  header.corpora = plan.corpora;
  header.planned = static_cast<std::int64_t>(plan.cases.size());
  header.filtered = plan.filtered;
  header.before_budget = plan.before_budget;
  header.isolation = isolation_layers(run.isolate);
  header.list_pages();
  return header;
}

int exit_code_of(const Error& error) noexcept {
  const bool users = error.code == Error::Code::bad_literal || error.code == Error::Code::unsupported ||
                     error.code == Error::Code::io;
  return users ? exit_bad_command : exit_own_failure;
}

void name_built_in_backends(CertifyOptions& options, std::ostream& error) {
  std::vector<std::string> named;
  for (std::string& spelling : options.backends) {
    if (spelling != "built-in") {
      named.push_back(std::move(spelling));
      continue;
    }
    for (const backends::BuiltIn& each : backends::built_in_backends()) {
      if (!each.unavailable().empty()) continue;
      named.emplace_back(each.name);
      if (!each.is_slow || options.tier_is_chosen) continue;
      options.in_smoke.emplace_back(each.name);
      complain(error, named.back() + " is slow, so it is asked in smoke; certile certify " + named.back() +
                          " asks core");
    }
  }
  options.backends = std::move(named);
}

std::vector<NamedFile> inputs_of(const CertifyOptions& options) {
  std::vector<NamedFile> inputs{{"certile itself", "/proc/self/exe"}};
  for (const std::string& spelling : options.backends)
    add_named(inputs, "the backend", files_of(spelling));
  add_named(inputs, "the corpus", options.plan.corpora);
  add_named(inputs, "the waivers", waiver_files(options.waivers));
  return inputs;
}

std::optional<std::string> contradiction_in(const CertifyOptions& options) {
  const bool resumes = !options.resume.empty();
  if (!options.waivers.empty() && options.run.fail_fast)
    return "--fail-fast would stop at failures that --waivers accepts; give one of the two";
  if (options.backends.size() > 1 && (resumes || !options.shard.empty()))
    return (resumes ? "--resume" : "--shard") + std::string(" takes one BACKEND; run certile once for each");
  if (resumes && !options.records.empty())
    return "--resume completes the records that it names; --records would write them again";
  if (resumes && options.run.fail_fast)
    return "--resume goes on after failures, and --fail-fast stops at them; give one of the two";
  if (const auto& budget = options.plan.budget) {
    if (!options.shard.empty())
      return "--budget asks few cases, and --shard shares out many; give one of the two";
    if (!options.plan.literals.empty() || !options.plan.corpora.empty())
      return "--budget chooses among the cases of a tier, and --case and --corpus name theirs; give one of "
             "the two";
    if (resumes && std::holds_alternative<std::chrono::seconds>(*budget))
      return "--resume cannot know how much of a time is left; give --budget a number of cases";
  }
  if (options.reports.certificate.are_requested()) {
    if (!options.shard.empty())
      return "a certificate is about a whole run, and --shard asks a part of it; certile merge writes it";
    if (options.backends.size() > 1)
      return "a certificate is about one backend, and " + std::to_string(options.backends.size()) +
             " are named; run certile once for each";
  }
  if (options.resume == "-") return "--resume needs a file, and - is none";
  return std::nullopt;
}

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

// Returns the shard of a scheduler that set its variables.
Result<Shard> shard_by(const Scheduler& scheduler, const Variable& variable) {
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  std::int64_t index = 0, total = 0, first = scheduler.first, step = 1;
  const std::array<std::tuple<const char*, std::int64_t&, std::int64_t>, 4> numbers{
      {{scheduler.index, index, largest},
       {scheduler.total, total, Shard::most},
       {scheduler.first_from, first, largest},
       {scheduler.step_from, step, largest}}};
  for (const auto& [name, number, most] : numbers) {
    const auto text = name == nullptr ? std::nullopt : variable(name);
    if (!text) continue;
    const char* end = text->data() + text->size();
    const auto read = std::from_chars(text->data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 0 || number > most)
      return bad(std::string(name) + " is '" + printable(*text) + "', which is no number from 0 to " +
                 std::to_string(most));
  }
  const std::int64_t place = index - first;
  if (place < 0 || step == 0 || place % step != 0 || place / step >= total)
    return bad(scheduler.index + std::string(" is ") + std::to_string(index) + " and " + scheduler.total +
               " is " + std::to_string(total) + ", which is no shard: the first one is " +
               std::to_string(first));
  return Shard{static_cast<int>(place / step) + 1, static_cast<int>(total)};
}

}  // namespace

Result<GivenShard> shard_in_environment(const Variable& variable) {
  std::optional<GivenShard> found;
  for (const Scheduler& scheduler : schedulers) {
    const bool has_index = variable(scheduler.index).has_value(),
               has_total = variable(scheduler.total).has_value();
    if (!has_index && (!has_total || scheduler.may_lack_index)) continue;
    if (!has_index || !has_total)
      return bad(std::string(has_index ? scheduler.index : scheduler.total) + " is set and " +
                 (has_index ? scheduler.total : scheduler.index) + " is not");
    TRY(const auto shard, shard_by(scheduler, variable));
    const GivenShard given{
        shard, std::string(scheduler.name) + ", by " + scheduler.index + " and " + scheduler.total};
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
  for (const Scheduler& each : schedulers)
    all += std::string("\n  ") + each.name + ": " + each.index + " (from " +
           (each.first_from != nullptr ? each.first_from : std::to_string(each.first)) + "), " + each.total;
  return bad("no scheduler says which shard this is; --shard auto reads, in this order," + all);
}

std::string host_name() {
  utsname system{};
  return uname(&system) == 0 ? system.nodename : "unknown";
}

Result<std::optional<GivenShard>> shard_of(const std::string& text) {
  if (text.empty()) return std::optional<GivenShard>();
  if (text != "auto") {
    const auto shard = parse_shard(text);
    if (!shard)
      return Error{shard.error().code, "--shard: " + shard.error().what + "; auto asks the environment"};
    return std::optional(GivenShard{*shard, ""});
  }
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  // So a test says to GoogleTest or Bazel that it knows shards.
  for (const char* name : {"GTEST_SHARD_STATUS_FILE", "TEST_SHARD_STATUS_FILE"})
    if (const auto path = variable(name); path && !path->empty())
      if (const auto written = write_whole_file(*path, ""); !written)
        return Error{written.error().code, std::string(name) + ": " + written.error().what};
  TRY(const auto given, shard_in_environment(variable));
  return std::optional(given);
}

}  // namespace certile::conformance
