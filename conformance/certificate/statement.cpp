#include "conformance/certificate/statement.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "conformance/certificate/run_files.hpp"
#include "conformance/facts/environment.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

namespace {

Json described(const std::string& name, const std::string& digest) {
  return {{"name", name}, {"digest", {{"sha256", digest}}}};
}

// Returns the name of a file, which may be any text.
std::string shown(std::string_view name) {
  return shortened(printable(name), 80);
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

// Returns the plan of the run, with all facts that limit the meaning of the result.
Json run_of(const Summary& summary) {
  const RunHeader& header = summary.header();
  Json run = described("plan", header.plan_digest);
  run["annotations"] = {{"summary", certificate_line(summary)},
                        {"conformance", summary.verdict_line()},
                        {"level", std::string(name(header.level))},
                        {"tier", std::string(name(header.options.tier))},
                        {"operators", names_of<DefinitionId>(summary.definitions())},
                        {"seed", header.options.seed},
                        {"claim", claim_of(header.claim)},
                        {"counts", counts_of(summary)},
                        {"clauses", clauses_proven(clause_rows(summary))},
                        {"isolation", header.isolation}};
  for (const Part& part : header.parts) {
    Json named = described(shown(part.name), part.digest);
    if (!part.version.empty()) named["annotations"] = {{"version", shown(part.version)}};
    run["annotations"]["parts"].push_back(std::move(named));
  }
  for (const Part& part : summary.loaded())
    if (part.digest != header.backend_digest)
      run["annotations"]["loaded"].push_back(described(shown(part.name), part.digest));
  return run;
}

Json certile_of(const RunHeader& header) {
  const bool is_known = !header.certile_commit.empty();
  return {{"name", "certile"},
          {"uri", "pkg:generic/certile@" + header.certile_version},
          {"annotations",
           {{"version", header.certile_version},
            {"commit", is_known ? header.certile_commit : "unknown"},
            {"dirty", is_known ? Json(header.certile_dirty) : Json("unknown")}}}};
}

Json configuration_of(const Summary& summary) {
  const RunHeader& header = summary.header();
  Json configuration = Json::array({run_of(summary), certile_of(header)});
  for (const auto list : {&RunHeader::pages, &RunHeader::corpora})
    for (const Plan::Corpus& file : header.*list)
      configuration.push_back(described(printable(file.name), file.digest));
  configuration.push_back(described(records_name, summary.records_digest()));
  configuration.push_back(described(environment_file, sha256_hex(environment_of(summary))));
  if (!header.waivers.path.empty()) {
    configuration.push_back(described(waivers_file, header.waivers.digest));
    configuration.back()["annotations"] = {{"count", header.waivers.count}};
  }
  return configuration;
}

bool is_beside_text(const Summary& summary, const ClauseRow& row) {
  const Clause* clause = summary.header().clause(row.id);
  return clause != nullptr && !counts_at_text(clause->kind);
}

std::optional<std::string> unread_file(const Summary& summary) {
  const auto& loaded = summary.loaded();
  const auto unread = std::ranges::find(loaded, std::string(), &Part::digest);
  if (unread != loaded.end() && unread->name == code_without_file)
    return "it has executable memory that belongs to no file, so it is not known what it ran";
  if (unread != loaded.end())
    return "it loaded " + shown(unread->name) + ", which was removed before it could be read";
  const RunHeader& header = summary.header();
  if (auto why = unknown_file_of(header.spelling, header.parts)) return why;
  if (summary.header().backend_digest.empty()) return "there is no file to take the SHA-256 of";
  if (loaded.empty() && summary.header().door.shares_memory)
    return "the records do not say which files were loaded";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> no_certificate_because(const Summary& summary) {
  const RunHeader& header = summary.header();
  const std::int64_t missing = header.planned - summary.recorded() + summary.beside_plan();
  if (!summary.incomplete().empty()) return "the run is incomplete: " + printable(summary.incomplete());
  if (auto why = no_certificate_because(header)) return why;
  if (const auto skipped = missing + summary.count(Verdict::not_run); skipped != 0)
    return counted(skipped, "planned case") + (skipped == 1 ? " was" : " were") + " not run";
  if (!summary.stale_waivers().empty())
    return "a waiver is stale: " + printable(summary.stale_waivers().front());
  if (summary.exit_code() != 0) return "it is " + summary.verdict_line();
  return unread_file(summary);
}

std::optional<std::string> no_certificate_because(const RunHeader& header) {
  const PlanOptions& options = header.options;
  const bool is_chosen = !options.clauses.empty() || !options.literals.empty() || !options.corpora.empty();
  if (options.budget) return "a budget of " + in_words(*options.budget) + " cut the plan";
  if (header.filtered || is_chosen) return "the plan was filtered";
  if (options.random_cases) return "--random changed the number of random cases of the tier";
  if (options.tier == Tier::smoke) return "the tier smoke is below core";
  return std::nullopt;
}

std::string certificate_line(const Summary& summary) {
  const RunHeader& header = summary.header();
  const std::vector<DefinitionId> operators = summary.definitions();
  std::string line = printable_name(header.claim.name) + " " + printable_name(header.claim.version) + ": " +
                     joined(names_of<DefinitionId>(operators), ", ") + ": " + summary.verdict_line() +
                     "; level " + std::string(name(header.level)) + ", tier " +
                     std::string(name(header.options.tier)) + ", " + counted(header.planned, "case");
  if (claim_limits(header.claim, operators).empty()) line += "; the claim has no limits";
  return line;
}

std::string statement_of(const Summary& summary) {
  const RunHeader& header = summary.header();
  Json passed = Json::array(), warned = Json::array(), failed = Json::array();
  for (const ClauseRow& row : clause_rows(summary)) {
    const std::string test(row.id);
    // Failures of clauses that the level omits are warnings.
    const bool is_left_out = header.level == Level::text && is_beside_text(summary, row);
    if (row.state == ClauseState::proven) passed.push_back(test);
    if (row.state == ClauseState::waived) warned.push_back(test);
    if (row.state == ClauseState::violated || row.state == ClauseState::in_doubt)
      (is_left_out ? warned : failed).push_back(test);
  }
  std::string_view result = "PASSED";
  if (!warned.empty() || summary.count(Verdict::waived) > 0) result = "WARNED";
  if (!failed.empty()) result = "FAILED";
  const Json statement = {
      {"_type", statement_type},
      {"subject", Json::array({described(printable_name(header.claim.name), header.backend_digest)})},
      {"predicateType", predicate_type},
      {"predicate",
       {{"result", result},
        {"configuration", configuration_of(summary)},
        {"passedTests", std::move(passed)},
        {"warnedTests", std::move(warned)},
        {"failedTests", std::move(failed)}}}};
  std::string text = statement.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  escape_commands(text);
  return text;
}

namespace {

// Returns the statement, or a discarded value if the text is none.
Json read_statement(std::string_view text) {
  Json json = foreign_json(text);
  const bool is_one = json.is_object() && json.contains("_type") && json["_type"] == statement_type;
  return is_one ? json : Json(Json::value_t::discarded);
}

}  // namespace

Result<std::string> line_of_statement(std::string_view text) {
  const auto wrong = [](const std::string& why) { return Error{Error::Code::bad_literal, why}; };
  const Json json = read_statement(text);
  if (json.is_discarded()) return wrong("what was signed is no in-toto statement");
  try {
    if (json.at("predicateType") != predicate_type) return wrong("the statement is not about a test");
    const Json& predicate = json.at("predicate");
    const auto result = predicate.at("result").get<std::string>();
    if ((result != "PASSED" && result != "WARNED") || !predicate.at("failedTests").empty())
      return wrong("the statement is no certificate: its result is " + printable(result));
    const Json& annotations = predicate.at("configuration").at(0).at("annotations");
    return printable(annotations.at("summary").get<std::string>());
  } catch (const Json::exception& exception) {
    return wrong(std::string("the statement is not one of certile: ") + exception.what());
  }
}

std::optional<std::string> name_of_subject(std::string_view text, std::string_view digest) try {
  const Json json = read_statement(text);
  if (!json.is_discarded())
    for (const Json& subject : json.at("subject"))
      if (digest.empty() || subject.at("digest").at("sha256") == digest)
        return subject.at("name").get<std::string>();
  return std::nullopt;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::string digest_of_records(std::string_view text) try {
  const Json json = read_statement(text);
  if (!json.is_discarded())
    for (const Json& each : json.at("predicate").at("configuration"))
      if (each.at("name") == records_name) return each.at("digest").at("sha256").get<std::string>();
  return {};
} catch (const Json::exception&) {
  return {};
}

}  // namespace certile::conformance
