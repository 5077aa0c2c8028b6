#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/report/report.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

using Json = nlohmann::ordered_json;

// Returns unique names of the backends: a second "mine" is "mine (2)".
std::vector<std::string> unique_names(const std::vector<const Summary*>& summaries) {
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (const Summary* summary : summaries) {
    std::string name = printable_name(summary->header().claim.name);
    if (const int number = ++seen[name]; number > 1) name += " (" + std::to_string(number) + ")";
    names.push_back(std::move(name));
  }
  return names;
}

Json described(const std::string& name, const std::string& digest) {
  return {{"name", name}, {"digest", {{"sha256", digest}}}};
}

Json claim_of(const Claim& claim) {
  return {{"name", printable_name(claim.name)},
          {"version", printable_name(claim.version)},
          {"operators", names_of<DefinitionId>(claim.definitions)},
          {"types", names_of<ElementType>(claim.types)},
          {"repeatsTypes", names_of<ElementType>(claim.repeats_types)},
          {"limits", size_limits_text(claim)}};
}

Json counts_of(const Summary& summary) {
  Json counts = {{"planned", summary.header().planned}, {"recorded", summary.recorded()}};
  for (int index = 0; index < verdict_count; ++index) {
    const auto verdict = static_cast<Verdict>(index);
    counts[std::string(name(verdict))] = summary.count(verdict);
  }
  counts["vacuous"] = summary.vacuous();
  return counts;
}

// Returns the run of one backend: its plan, with all facts that limit the meaning of the result.
Json run_of(const Summary& summary, const std::string& backend) {
  const RunHeader& header = summary.header();
  Json run = described("plan of " + backend, header.plan_digest);
  run["annotations"] = {{"conformance", summary.verdict_line()},
                        {"level", std::string(name(header.level))},
                        {"tier", std::string(name(header.options.tier))},
                        {"operators", names_of<DefinitionId>(summary.definitions())},
                        {"seed", header.options.seed},
                        {"filtered", header.filtered},
                        {"claim", claim_of(header.claim)},
                        {"counts", counts_of(summary)},
                        {"clauses", clauses_proven(clause_rows(summary))}};
  for (const Part& part : header.parts) {
    Json named = described(printable_name(part.name), part.digest);
    if (!part.version.empty()) named["annotations"] = {{"version", printable_name(part.version)}};
    run["annotations"]["parts"].push_back(std::move(named));
  }
  if (!header.waivers.path.empty())
    run["annotations"]["waivers"] = {{"sha256", header.waivers.digest}, {"count", header.waivers.count}};
  return run;
}

Json configuration_of(const std::vector<const Summary*>& summaries, const std::vector<std::string>& names) {
  Json configuration = Json::array();
  const std::string version = summaries.empty() ? std::string() : summaries.front()->header().certile_version;
  configuration.push_back({{"name", "certile"},
                           {"uri", "pkg:generic/certile@" + version},
                           {"annotations", {{"version", version}}}});
  std::vector<Plan::Corpus> files;
  for (const auto list : {&RunHeader::pages, &RunHeader::corpora})
    for (const Summary* summary : summaries)
      for (const Plan::Corpus& file : summary->header().*list)
        if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  for (const Plan::Corpus& file : files)
    configuration.push_back(described(printable(file.name), file.digest));
  for (std::size_t index = 0; index < summaries.size(); ++index) {
    configuration.push_back(run_of(*summaries[index], names[index]));
  }
  return configuration;
}

bool is_beside_text(const Summary& summary, const ClauseRow& row) {
  const Clause* clause = summary.header().clause(row.id);
  return clause != nullptr && !counts_at_text(clause->kind);
}

// Returns the result of the statement, which never exceeds its lists `failed` and `warned`.  A filtered or
// incomplete run fails the statement, because a statement vouches for conformance.
std::string_view result_of(const std::vector<const Summary*>& summaries, const Json& failed,
                           const Json& warned) {
  const auto conforms = [](const Summary* summary) {
    return summary->exit_code() == 0 && summary->conformance() != Summary::Conformance::partial;
  };
  const auto has_waivers = [](const Summary* summary) { return summary->count(Verdict::waived) > 0; };
  if (!failed.empty() || summaries.empty() || !std::ranges::all_of(summaries, conforms)) return "FAILED";
  return !warned.empty() || std::ranges::any_of(summaries, has_waivers) ? "WARNED" : "PASSED";
}

}  // namespace

Result<Done> write_statement(const std::string& path, const std::vector<const Summary*>& summaries) {
  const std::vector<std::string> names = unique_names(summaries);
  Json subjects = Json::array(), passed = Json::array(), warned = Json::array(), failed = Json::array();
  for (std::size_t index = 0; index < summaries.size(); ++index) {
    const Summary& summary = *summaries[index];
    if (summary.header().backend_digest.empty()) {
      return Error{Error::Code::unsupported, "no statement can be made about " + names[index] +
                                                 ": there is no file to take the SHA-256 of"};
    }
    subjects.push_back(described(names[index], summary.header().backend_digest));
    // A prefix distinguishes the clauses of several backends.
    const std::string prefix = summaries.size() > 1 ? names[index] + "/" : std::string();
    for (const ClauseRow& row : clause_rows(summary)) {
      const std::string test = prefix + std::string(row.id);
      if (row.state == ClauseRow::State::proven) passed.push_back(test);
      // Failures of clauses that the level omits are warnings.
      const bool is_left_out = summary.header().level == Level::text && is_beside_text(summary, row);
      if (row.state == ClauseRow::State::waived) warned.push_back(test);
      if (row.state == ClauseRow::State::violated) (is_left_out ? warned : failed).push_back(test);
      if (row.state == ClauseRow::State::in_doubt) (is_left_out ? warned : failed).push_back(test);
    }
  }
  const std::string_view result = result_of(summaries, failed, warned);
  const Json statement = {{"_type", "https://in-toto.io/Statement/v1"},
                          {"subject", std::move(subjects)},
                          {"predicateType", "https://in-toto.io/attestation/test-result/v0.1"},
                          {"predicate",
                           {{"result", result},
                            {"configuration", configuration_of(summaries, names)},
                            {"passedTests", std::move(passed)},
                            {"warnedTests", std::move(warned)},
                            {"failedTests", std::move(failed)}}}};
  std::string text = statement.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  escape_commands(text);
  return write_whole_file(path, text);
}

}  // namespace certile::conformance
