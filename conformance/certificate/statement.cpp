#include "conformance/certificate/statement.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

#include "conformance/facts/environment.hpp"
#include "conformance/plan/claim_limits.hpp"
#include "conformance/records/clause_table.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"

namespace certile::conformance {

namespace {

bool has(const std::vector<Part>& parts, const std::string& word) {
  return std::ranges::any_of(parts, [&word](const Part& part) {
    return !part.digest.empty() && (part.name == word || part.name.ends_with("/" + word));
  });
}

// Returns true for "./mine" and "mine.py", and false for "--fast" and "1.5".
bool names_a_file(std::string_view word) {
  if (word.find('/') != word.npos) return true;
  const std::size_t point = word.rfind('.');
  return point != word.npos && point + 1 < word.size() &&
         std::isalpha(static_cast<unsigned char>(word[point + 1])) != 0;
}

bool is_assignment(std::string_view word) {
  return word.find('=') != word.npos && word.find('=') < word.find('/');
}

// Returns these fields of the header, those that it has.
Json selected(const Json& header, std::initializer_list<const char*> keys) {
  Json json = Json::object();
  for (const char* key : keys)
    if (const auto found = header.find(key); found != header.end()) json[key] = *found;
  return json;
}

std::string text_of(const Json& json) {
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  escape_commands(text);
  return text;
}

// Returns the text as one word of any POSIX shell, whatever characters the text has.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char each : text)
    word += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return word + "'";
}

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
  if (loaded.empty() && summary.header().transport.shares_memory)
    return "the records do not say which files were loaded";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> unknown_file_of(const std::string& spelling, const std::vector<Part>& parts) {
  constexpr std::string_view prefix = "worker:";
  if (!spelling.starts_with(prefix)) return std::nullopt;
  const ShellWords command = shell_words(std::string_view(spelling).substr(prefix.size()));
  if (command.syntax != 0)
    return "the shell decides what the worker's command runs: it has " +
           (command.syntax == '\n' ? std::string("a new line")
                                   : std::string("the character ") + command.syntax);
  bool is_program_known = false;
  for (const std::string& word : command.words) {
    if (!is_program_known && (word == "exec" || is_assignment(word))) continue;
    if (word == "-c") return "the worker's command has code in it, behind -c";
    const bool is_named = !is_program_known || names_a_file(word);
    is_program_known = true;
    if (is_named && !has(parts, word) && !has(parts, word.substr(0, word.rfind(':'))))
      return "the worker's command names " + printable(word) + ", which is no file whose SHA-256 was taken";
  }
  return std::nullopt;
}

std::string environment_of(const Summary& summary) {
  const Json header = header_to_json(summary.header()).at("header");
  Json json = selected(header, {"certile", "commit", "dirty", "environments", "door", "isolation",
                                "backend_sha256", "backend_parts"});
  const Json footer = footer_to_json(summary, "").at("footer");
  json.update(selected(footer, {"loaded"}));
  return text_of(json);
}

std::string plan_of(const Summary& summary) {
  return text_of(selected(header_to_json(summary.header()).at("header"),
                          {"tier", "operators", "seed", "random_cases", "level", "claim", "also",
                           "corpora_read", "pages", "planned", "plan_sha256"}));
}

std::string repro_of(const Summary& summary) {
  const RunHeader& header = summary.header();
  std::string words = " --tier " + std::string(name(header.options.tier)) + " --level " +
                      std::string(name(header.level)) + " --seed " + std::to_string(header.options.seed);
  for (const DefinitionId definition : header.definitions())
    words += " --definition " + std::string(name(definition));
  if (!header.waivers.path.empty())
    words += std::string(" --waivers \"$(dirname \"$0\")/") + waivers_file + "\"";
  std::string script = "#!/bin/sh\n# " + printable(certificate_line(summary)) + "\n";
  script +=
      "# Asks a backend the same plan again: sh repro.sh [BACKEND]; without BACKEND, the one that was "
      "certified.\n";
  script += "set -eu\ncertified=" + shell_word(header.spelling) + "\n";
  script += "exec certile certify \"${1:-$certified}\"" + words + "\n";
  return script;
}

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
  return text_of(statement);
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
