#include "conformance/cli/certify_checks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/cli/judged_files.hpp"
#include "conformance/cli/remarks.hpp"
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
  header.door = started.door;
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

std::vector<NamedFile> outputs_of(const CertifyOptions& options) {
  std::vector<NamedFile> outputs = options.reports.named();
  outputs.insert(outputs.begin(), {{"--records", options.records}, {"--resume", options.resume}});
  return outputs;
}

std::optional<std::string> conflict_of(const CertifyOptions& options) {
  std::vector<NamedFile> inputs{{"certile itself", "/proc/self/exe"}};
  for (const std::string& spelling : options.backends) {
    const auto command = backends::worker_command(spelling);
    const std::vector<std::string> paths = command                          ? files_of_command(*command)
                                           : backends::is_library(spelling) ? std::vector{spelling}
                                                                            : std::vector<std::string>();
    for (const std::string& path : paths)
      inputs.push_back({"the backend " + printable(path), path});
  }
  for (const std::string& path : options.plan.corpora)
    inputs.push_back({"the corpus " + printable(path), path});
  for (const std::string& path : waiver_files(options.waivers))
    inputs.push_back({"the waivers " + printable(path), path});
  std::ranges::move(options.reports.page.inputs(), std::back_inserter(inputs));
  return conflict_of(outputs_of(options), inputs);
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

Result<std::optional<GivenShard>> shard_of(const std::string& text) {
  if (text.empty()) return std::optional<GivenShard>();
  if (text != "auto") {
    const auto shard = parse_shard(text);
    if (!shard)
      return Error{shard.error().code, "--shard: " + shard.error().what + "; auto asks the environment"};
    return std::optional(GivenShard{*shard, ""});
  }
  if (const auto touched = touch_shard_status_files(variable_of_process); !touched) return touched.error();
  const auto given = shard_in_environment(variable_of_process);
  if (!given) return given.error();
  return std::optional(*given);
}

}  // namespace certile::conformance
