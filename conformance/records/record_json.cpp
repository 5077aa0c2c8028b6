#include "conformance/records/record_json.hpp"

#include <set>

#include "reference/spec/pages.hpp"

namespace certile {
namespace {

// A string of printable ASCII that JSON spells as it stands: every literal without strings, every clause.
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
    out += dumped(Json(text));
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

// The id of that clause as a view that lives as long as the program.  A clause that no page has (the file is
// from another version) is kept as it is.
std::string_view lasting_id(const std::string& id) {
  if (const Clause* clause = find_clause(id)) return clause->id;
  static std::set<std::string> foreign_ids;
  return *foreign_ids.insert(id).first;
}

}  // namespace

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// By hand: this runs once for each of 100,000 cases a second.  A record of thirteen clauses costs 0.22 µs;
// through a Json object that is used again for every record it costs 1.1 µs, which would be a ninth of all
// there is for a case.
void append_record_line(std::string& out, const Record& record) {
  append_text_field(out, R"({"backend":)", record.backend);
  append_text_field(out, R"(,"case":)", record.case_literal);
  append_text_field(out, R"(,"operator":)", name(record.definition));
  append_text_field(out, R"(,"type":)", name(record.type));
  append_text_field(out, R"(,"verdict":)", name(record.verdict));
  if (!record.law.empty()) append_text_field(out, R"(,"law":)", record.law);
  if (record.vacuous) out += R"(,"vacuous":true)";
  if (record.fault != Fault::none) append_text_field(out, R"(,"fault":)", name(record.fault));
  out += R"(,"exercised":)";
  append_strings(out, record.exercised);
  if (!record.violated.empty()) append_text_field(out, R"(,"violated":)", record.violated);
  if (!record.explanation.empty()) append_text_field(out, R"(,"explanation":)", record.explanation);
  if (!record.reproduce.empty()) {
    out += R"(,"reproduce":)";
    append_strings(out, record.reproduce);
  }
  out += "}\n";
}

Result<Record> record_from_json(const Json& json) {
  Record record;
  try {
    json.at("backend").get_to(record.backend);
    json.at("case").get_to(record.case_literal);
    const auto definition = definition_named(json.at("operator").get_ref<const std::string&>());
    const auto type = element_type_named(json.at("type").get_ref<const std::string&>());
    const auto verdict = verdict_named(json.at("verdict").get_ref<const std::string&>());
    const auto fault = fault_named(json.value("fault", std::string("none")));
    if (!definition || !type || !verdict || !fault) {
      return Error{Error::Code::bad_literal,
                   "a record's operator, type, verdict or fault is not one that certile knows"};
    }
    record.definition = *definition;
    record.type = *type;
    record.verdict = *verdict;
    record.fault = *fault;
    record.vacuous = json.value("vacuous", false);
    for (const Json& id : json.at("exercised"))
      record.exercised.push_back(lasting_id(id.get<std::string>()));
    record.violated = json.value("violated", std::string());
    record.explanation = json.value("explanation", std::string());
    record.reproduce = json.value("reproduce", std::vector<std::string>());
    record.law = json.value("law", std::string());
  } catch (const Json::exception& exception) {
    return Error{Error::Code::bad_literal, std::string("a record is malformed: ") + exception.what()};
  }
  return record;
}

Json footer_to_json(const Summary& summary) {
  Json verdicts = Json::object();
  for (int index = 0; index < verdict_count; ++index) {
    const auto verdict = static_cast<Verdict>(index);
    verdicts[std::string(name(verdict))] = summary.count(verdict);
  }
  Json footer = {{"records", summary.recorded()},
                 {"verdicts", std::move(verdicts)},
                 {"vacuous", summary.vacuous()},
                 {"conformance", summary.verdict_line()}};
  if (summary.laws().tried > 0)
    footer["laws"] = {{"tried", summary.laws().tried}, {"broken", summary.laws().broken}};
  if (!summary.stale_waivers().empty()) footer["stale_waivers"] = summary.stale_waivers();
  if (!summary.incomplete().empty()) footer["incomplete"] = summary.incomplete();
  return Json{{"footer", std::move(footer)}};
}

Result<FooterCounts> footer_from_json(const Json& json) {
  FooterCounts counts;
  try {
    const Json& footer = json.at("footer");
    get_whole(footer.at("records"), counts.records);
    get_whole(footer.at("vacuous"), counts.vacuous);
    for (int index = 0; index < verdict_count; ++index) {
      const std::string key(name(static_cast<Verdict>(index)));
      get_whole(footer.at("verdicts").at(key), counts.verdicts[static_cast<std::size_t>(index)]);
    }
  } catch (const Json::exception& exception) {
    return Error{Error::Code::bad_literal, std::string("the footer is malformed: ") + exception.what()};
  }
  return counts;
}

}  // namespace certile
