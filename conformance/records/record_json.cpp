#include "conformance/records/record_json.hpp"

#include <nlohmann/json.hpp>

#include <concepts>
#include <memory>
#include <stdexcept>
#include <utility>

#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

template <class Value>
std::optional<Value> named(const std::string& word) {
  if constexpr (std::same_as<Value, Tier>) return tier_named(word);
  if constexpr (std::same_as<Value, ElementType>) return element_type_named(word);
  if constexpr (std::same_as<Value, DefinitionId>) return definition_named(word);
  if constexpr (std::same_as<Value, Clause::Kind>)
    if (Value kind{}; read_kind(word, kind)) return kind;
  if constexpr (std::same_as<Value, Level>)
    for (const Level level : {Level::full, Level::text})
      if (name(level) == word) return level;
  return std::nullopt;
}

// Returns false for a number that the library itself would convert to a whole one, or crash at.
template <std::integral Whole>
bool fits(const Json& json) {
  if constexpr (std::same_as<Whole, bool>)
    return true;  // which the library checks
  else if (json.is_number_unsigned())
    return std::in_range<Whole>(json.get<std::uint64_t>());
  else
    return json.is_number_integer() && std::in_range<Whole>(json.get<std::int64_t>());
}

Json::type_error wrong_type(const std::string& why, const Json& json) {
  return Json::type_error::create(302, why, &json);
}

// The fields of an object, which a function `name_fields` names once, to be read as to be written.
class Fields {
 public:
  Fields(Json& object, bool reads) : object_(object), reads_(reads) {}

  template <class Value>
  void operator()(const std::string& key, Value&& value) {
    convert(reads_ ? object_.at(key) : object_[key], key, value);
  }
  // Converts a field that a file may lack; it is written if `is_there`.
  template <class Value>
  void maybe(const std::string& key, Value&& value, bool is_there) {
    if (reads_ ? object_.contains(key) : is_there) (*this)(key, value);
  }

 private:
  template <class Value>
  void convert(Json& json, const std::string& key, Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      std::string word(reads_ ? "" : name(value));
      convert(json, key, word);
      const auto found = named<Value>(word);
      if (!found) throw std::runtime_error("this certile knows no " + key + " " + shortened(word, 80));
      value = *found;
    } else if constexpr (std::same_as<Value, std::string>) {
      if (reads_)
        json.get_to(value);
      else
        json = valid_utf8(value);
    } else if constexpr (std::integral<Value>) {
      if (!reads_)
        json = value;
      else if (fits<Value>(json))
        json.get_to(value);
      else
        throw wrong_type(dumped(json) + " is not a whole number that fits", json);
    } else if constexpr (requires { value.has_value(); }) {
      if (reads_) value.reset();
      if (reads_ && !json.is_null()) value.emplace();
      if (value) convert(json, key, *value);
    } else if constexpr (requires { value.begin(); }) {
      convert_list(json, key, value);
    } else {
      if (!reads_) json = Json::object();
      Fields fields(json, reads_);
      if constexpr (std::invocable<Value&, Fields&>)
        value(fields);
      else
        name_fields(fields, value);
    }
  }

  template <class List>
  void convert_list(Json& json, const std::string& key, List& list) {
    using Item = std::remove_cvref_t<decltype(*list.begin())>;
    if (!reads_) {
      json = Json::array();
      for (Item item : list)
        convert(json.emplace_back(), key, item);
      return;
    }
    if (!json.is_array())
      throw wrong_type(std::string("type must be array, but is ") + json.type_name(), json);
    list = {};
    for (Json& each : json) {
      Item item{};
      convert(each, key, item);
      if constexpr (std::same_as<List, TypeSet>)
        list.insert(item);
      else
        list.push_back(std::move(item));
    }
  }

  Json& object_;
  bool reads_;
};

void name_fields(Fields& fields, Claim& claim) {
  fields("name", claim.name);
  fields("version", claim.version);
  fields("operators", claim.definitions);
  fields("types", claim.types);
  fields("repeats_types", claim.repeats_types);
  fields("max_rank", claim.max_rank);
  fields("max_elements", claim.max_elements);
  fields("max_bytes", claim.max_bytes);
  for (const auto& limit : {claim.max_rank, claim.max_elements, claim.max_bytes})
    if (limit && *limit < 1) throw std::runtime_error("a limit of the claim is below 1");
  fields("infers", claim.infers);
}

void name_fields(Fields& fields, Plan::Corpus& file) {
  fields("name", file.name);
  fields("sha256", file.digest);
}

void name_fields(Fields& fields, Clause& clause) {
  fields("id", clause.id);
  fields("kind", clause.kind);
  fields("name", clause.name);
  fields("testable", clause.testable);
  fields.maybe("because", clause.untestable_because, !clause.testable);
}

void name_fields(Fields& fields, Environment& machine) {
  fields("architecture", machine.architecture);
  fields("processor", machine.processor);
  fields("kernel", machine.kernel);
  fields("libc", machine.libc);
}

void name_fields(Fields& fields, Part& part) {
  fields("name", part.name);
  fields("version", part.version);
  fields("sha256", part.digest);
}

struct Loaded : Part {};
void name_fields(Fields& fields, Loaded& file) {
  fields("name", file.name);
  fields.maybe("sha256", file.digest, !file.digest.empty());
}

void name_fields(Fields& fields, ShardOfRun& part) {
  fields("index", part.shard.index);
  fields("of", part.shard.of);
  fields("cases", part.cases);
  fields("host", part.host);
  if (part.shard.index < 1 || part.shard.index > part.shard.of || part.shard.of > Shard::most)
    throw std::runtime_error("there is no such shard");
}

void name_fields(Fields& fields, RunHeader& header) {
  PlanOptions& options = header.options;
  int format = records_format;
  fields("format", format);
  if (format != 1 && format != records_format)
    throw std::runtime_error("format " + std::to_string(format) +
                             " is unknown to this certile, which reads formats 1 and " +
                             std::to_string(records_format));
  fields("certile", header.certile_version);
  fields("spelling", header.spelling);
  fields("claim", header.claim);
  if (format == 1) {
    fields("claim", [&](Fields& claim) { claim("in_process", header.transport.shares_memory); });
  } else {
    std::string transport = header.transport.shares_memory ? "in-process" : "worker";
    fields("door", transport);
    header.transport.shares_memory = transport == "in-process";
  }
  fields("backend_sha256", header.backend_digest);
  fields("tier", options.tier);
  fields("operators", options.definitions);
  fields("seed", options.seed);
  fields("random_cases", options.random_cases);
  fields("requirements", options.clauses);
  fields("cases", options.literals);
  fields("corpora", options.corpora);
  fields("level", header.level);
  fields("plan_sha256", header.plan_digest);
  fields("planned", header.planned);
  fields("filtered", header.filtered);
  fields("isolation", header.isolation);
  if (format != 1) {
    fields("pages", header.pages);
    std::vector<Clause> clauses;
    for (const Clause* clause : header.clauses())
      clauses.push_back(*clause);
    fields("clauses", clauses);
    header.clauses_listed = std::make_shared<const std::vector<Clause>>(std::move(clauses));
    fields.maybe("also", options.also, !options.also.empty());
  }
  const auto budget = [&](Fields& in) {
    std::string asks = options.budget ? to_string(*options.budget) : std::string();
    in("of", header.before_budget);
    in("asks", asks);
    const auto read = parse_budget(asks);
    if (!read) throw std::runtime_error(read.error().what);
    options.budget = *read;
  };
  fields.maybe("budget", budget, options.budget.has_value());
  const bool has_commit = !header.certile_commit.empty();
  fields.maybe("commit", header.certile_commit, has_commit);
  fields.maybe("dirty", header.certile_dirty, has_commit);
  fields.maybe("environments", header.environments, !header.environments.empty());
  fields.maybe("backend_parts", header.parts, !header.parts.empty());
  fields.maybe("corpora_read", header.corpora, !header.corpora.empty());
  const auto waivers = [&](Fields& in) {
    in("path", header.waivers.path);
    in("sha256", header.waivers.digest);
    in("count", header.waivers.count);
  };
  fields.maybe("waivers", waivers, !header.waivers.path.empty());
  fields.maybe("shard", header.shard, header.shard.has_value());
}

void name_fields(Fields& fields, RunFooter& footer) {
  auto& [idle_waivers, finished_on] = footer.of_shard;
  fields("records", footer.records);
  fields("verdicts", [&](Fields& in) {
    for (std::size_t index = 0; index < footer.verdicts.size(); ++index)
      in(std::string(name(static_cast<Verdict>(index))), footer.verdicts[index]);
  });
  fields("vacuous", footer.vacuous);
  fields.maybe("sha256", footer.digest, true);
  fields("conformance", footer.conformance);
  const auto laws = [&](Fields& in) {
    in("tried", footer.laws.tried);
    in("broken", footer.laws.broken);
  };
  fields.maybe("laws", laws, footer.laws.tried > 0);
  fields.maybe("stale_waivers", footer.stale_waivers, !footer.stale_waivers.empty());
  fields.maybe("incomplete", footer.incomplete, !footer.incomplete.empty());
  fields.maybe("idle_waivers", idle_waivers, !idle_waivers.empty());
  fields.maybe("finished_on", finished_on, !finished_on.empty());
  std::vector<Loaded> loaded;
  for (const Part& part : footer.loaded)
    loaded.push_back({part});
  fields.maybe("loaded", loaded, !loaded.empty());
  footer.loaded.assign(loaded.begin(), loaded.end());
}

// Writes the one field of a line.
template <class Value>
Json line_of(const std::string& key, Value value) {
  Json line = Json::object();
  Fields(line, false)(key, value);
  return line;
}

template <class Value>
Result<Value> read_line(Json line, const std::string& key) {
  Value value;
  try {
    Fields(line, true)(key, value);
  } catch (const std::exception& exception) {
    return Error{Error::Code::bad_literal, "the " + key + " is malformed: " + exception.what()};
  }
  return value;
}

}  // namespace

Json header_to_json(const RunHeader& header) {
  return line_of("header", header);
}

std::optional<Result<RunHeader>> header_in(std::string_view line) {
  const Json json = foreign_json(line);
  if (!json.is_object() || !json.contains("header")) return std::nullopt;
  return header_from_json(json);
}

Result<RunHeader> header_from_json(const Json& json) {
  return read_line<RunHeader>(json, "header");
}

Json footer_to_json(const Summary& summary, const std::string& digest) {
  RunFooter footer = summary.footer();
  footer.digest = digest;
  footer.conformance = summary.verdict_line();
  return line_of("footer", std::move(footer));
}

Result<RunFooter> footer_from_json(const Json& json) {
  return read_line<RunFooter>(json, "footer");
}

namespace {

// Returns true for printable ASCII that JSON does not escape, such as every literal without strings.
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
    out += dumped(Json(valid_utf8(text)));
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

Error bad_record(const std::string& why) {
  return {Error::Code::bad_literal, "a record " + why};
}

void append_fault(std::string& out, Fault fault) {
  if (fault != Fault::none) append_text_field(out, R"(,"fault":)", name(fault));
}

void append_charge(std::string& out, const Finding& finding, const char* charged, const char* words) {
  if (!finding.charged.empty()) append_text_field(out, charged, finding.charged);
  if (!finding.words.empty()) append_text_field(out, words, finding.words);
  if (finding.reason != Reason::none) append_text_field(out, R"(,"reason":)", name(finding.reason));
}

void append_amendment(std::string& out, const Amendment& amendment) {
  append_text_field(out, R"({"by":)", name(amendment.by));
  append_text_field(out, R"(,"verdict":)", name(amendment.verdict));
  append_fault(out, amendment.fault);
  append_charge(out, amendment, R"(,"clause":)", R"(,"words":)");
  if (!amendment.reproduce.empty()) {
    out += R"(,"reproduce":)";
    append_strings(out, amendment.reproduce);
  }
  out += '}';
}

void append_output(std::string& out, const SmallOutput& output) {
  append_text_field(out, R"(,"output":)", output.elements);
  if (output.unwritten.empty()) return;
  out += R"(,"unwritten":)";
  out += dumped(Json(output.unwritten));
}

// Returns the id as stored in a page or in the header, so that it outlives the record.
Result<std::string_view> lasting_id(const std::string& id, const RunHeader& header) {
  if (id.empty()) return std::string_view();
  const Clause* clause = find_clause(id);
  if (clause == nullptr) clause = header.clause(id);
  if (clause != nullptr) return std::string_view(clause->id);
  return bad_record("names the clause " + id + ", which neither its header nor this certile has");
}

Result<Done> get_finding(const Json& json, const RunHeader& header, const char* charged, const char* words,
                         Finding& finding) {
  const auto verdict = verdict_named(json.at("verdict").get_ref<const std::string&>());
  const auto fault = json.contains("fault") ? fault_named(json.value("fault", "")) : Fault::none;
  const auto reason = reason_named(json.value("reason", ""));
  if (!verdict || !fault || !reason) return bad_record("has an unknown verdict, fault or reason");
  TRY(const auto id, lasting_id(json.value(charged, ""), header));
  finding = {*verdict, *fault, id, json.value(words, ""), *reason};
  return Done{};
}

Result<Amendment> amendment_from_json(const Json& json, const RunHeader& header) {
  Amendment amendment;
  const auto author = author_named(json.at("by").get_ref<const std::string&>());
  if (!author) return bad_record("has an amendment by an unknown author");
  amendment.by = *author;
  if (auto done = get_finding(json, header, "clause", "words", amendment); !done) return done.error();
  amendment.reproduce = json.value("reproduce", std::vector<std::string>());
  return amendment;
}

}  // namespace

// Writes JSON without the library, because this runs for 100,000 cases a second.  A record of thirteen
// clauses costs 0.22 µs.  Through a Json object, even one that is reused for every record, it costs 1.1 µs, a
// ninth of the time of a case.
void append_record_line(std::string& out, const Record& record) {
  const Judgement& judged = record.judged;
  append_text_field(out, R"({"backend":)", record.backend);
  append_text_field(out, R"(,"case":)", record.literal);
  append_text_field(out, R"(,"operator":)", name(record.definition));
  append_text_field(out, R"(,"type":)", name(record.type));
  append_text_field(out, R"(,"verdict":)", name(judged.verdict));
  if (!record.law.empty()) append_text_field(out, R"(,"law":)", record.law);
  const bool passes = judged.verdict == Verdict::pass || record.now().verdict == Verdict::pass;
  if (judged.vacuous && passes) out += R"(,"vacuous":true)";
  append_fault(out, judged.fault);
  out += R"(,"exercised":)";
  append_strings(out, judged.exercised);
  append_charge(out, judged, R"(,"violated":)", R"(,"explanation":)");
  if (judged.output) append_output(out, *judged.output);
  if (!record.amendments.empty()) {
    out += R"(,"amended":)";
    char separator = '[';
    for (const Amendment& amendment : record.amendments) {
      out += separator;
      append_amendment(out, amendment);
      separator = ',';
    }
    out += ']';
  }
  out += "}\n";
}

Result<Record> record_from_json(const Json& json, const RunHeader& header) {
  Record record;
  try {
    json.at("backend").get_to(record.backend);
    json.at("case").get_to(record.literal);
    const auto definition = definition_named(json.at("operator").get_ref<const std::string&>());
    const auto type = element_type_named(json.at("type").get_ref<const std::string&>());
    if (!definition || !type) return bad_record("has an unknown operator or type");
    record.definition = *definition;
    record.type = *type;
    record.law = json.value("law", "");
    Judgement& judged = record.judged;
    if (auto done = get_finding(json, header, "violated", "explanation", judged); !done) return done.error();
    judged.vacuous = json.contains("vacuous") && json.at("vacuous").get<bool>();
    if (json.contains("output"))
      judged.output = {json.value("output", ""), json.value("unwritten", std::vector<std::int64_t>())};
    for (const Json& each : json.at("exercised")) {
      TRY(const auto id, lasting_id(each.get_ref<const std::string&>(), header));
      judged.exercised.push_back(id);
    }
    // A record of format 1 has only the last finding, with the cases that reproduce it.
    if (json.contains("reproduce"))
      record.amendments.push_back(
          {static_cast<const Finding&>(judged), Amendment::By::diagnosis, json.at("reproduce")});
    if (const auto amended = json.find("amended"); amended != json.end())
      for (const Json& each : *amended) {
        TRY(auto amendment, amendment_from_json(each, header));
        record.amendments.push_back(std::move(amendment));
      }
  } catch (const Json::exception& exception) {
    return bad_record(std::string("is malformed: ") + exception.what());
  }
  return record;
}

}  // namespace certile::conformance
