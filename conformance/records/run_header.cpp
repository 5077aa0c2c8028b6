#include "conformance/records/run_header.hpp"

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <variant>

#include "backends/plugin/claim.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

std::string_view name(Level level) noexcept {
  return level == Level::full ? "full" : "text";
}

std::vector<DefinitionId> RunHeader::definitions() const {
  std::vector<DefinitionId> both;
  for (const DefinitionId definition : all_definitions()) {
    const auto is_among = [definition](const std::vector<DefinitionId>& list) {
      return std::ranges::find(list, definition) != list.end();
    };
    if (is_among(claim.definitions) && is_among(options.definitions)) both.push_back(definition);
  }
  return both;
}

std::vector<const Clause*> RunHeader::clauses() const {
  std::vector<const Clause*> all;
  const auto append = [&all](std::span<const Clause> clauses) {
    for (const Clause& clause : clauses)
      all.push_back(&clause);
  };
  if (clauses_listed) {
    append(*clauses_listed);
    return all;
  }
  for (const DefinitionId definition : definitions())
    append(page_of(definition).clauses);
  append(contract_page().clauses);
  return all;
}

const Clause* RunHeader::clause(std::string_view id) const {
  if (clauses_listed) {
    const auto found = std::ranges::find(*clauses_listed, id, &Clause::id);
    if (found != clauses_listed->end()) return &*found;
  }
  return find_clause(id);
}

void RunHeader::list_pages() {
  pages.clear();
  for (const Page& page : all_pages())
    pages.push_back({"reference/spec/" + page.name + ".md", sha256_hex(page.digest_source)});
  clauses_listed = nullptr;
  auto listed = std::make_shared<std::vector<Clause>>();
  for (const Clause* clause : clauses())
    listed->push_back(*clause);
  clauses_listed = std::move(listed);
}

namespace {

template <class Value>
Json names_of(const std::vector<Value>& values) {
  Json names = Json::array();
  for (const Value value : values)
    names.push_back(std::string(name(value)));
  return names;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Value>
void get_optional(const Json& json, std::optional<Value>& value) {
  if (json.is_null()) {
    value.reset();
  } else {
    get_whole(json, value.emplace());
  }
}

// Reads the values of the names.  Returns false if `named` does not know a name.
template <class Value, class Named>
bool get_names(const Json& json, std::vector<Value>& values, const Named& named) {
  values.clear();
  for (const Json& item : json) {
    const std::optional<Value> value = named(item.get_ref<const std::string&>());
    if (!value) return false;
    values.push_back(*value);
  }
  return true;
}

std::string json_key(const backends::ClaimWord& word) {
  return std::string(word.kind == backends::ClaimWord::Kind::flag ? "infers" : word.key);
}

Json json_of(const backends::ClaimWord& word) {
  switch (word.kind) {
    case backends::ClaimWord::Kind::text:
      return valid_utf8(word.word);
    case backends::ClaimWord::Kind::names: {
      Json names = Json::array();
      std::istringstream list(word.word);
      for (std::string each; list >> each;)
        names.push_back(each);
      return names;
    }
    case backends::ClaimWord::Kind::limit:
      return word.word == "0" ? Json(nullptr) : Json(*backends::count_in(word.word));
    case backends::ClaimWord::Kind::flag:
      break;
  }
  return word.word == "yes";
}

// Returns the word that the JSON of a claim has for a key.
std::string word_in(const Json& json, const backends::ClaimWord& key) {
  const Json& value = json.at(json_key(key));
  switch (key.kind) {
    case backends::ClaimWord::Kind::text:
      return value.get<std::string>();
    case backends::ClaimWord::Kind::names: {
      std::string list;
      for (const Json& each : value)
        list += each.get_ref<const std::string&>() + " ";
      return list;
    }
    case backends::ClaimWord::Kind::limit: {
      std::int64_t limit = 0;
      if (!value.is_null()) get_whole(value, limit);
      return std::to_string(limit);
    }
    case backends::ClaimWord::Kind::flag:
      break;
  }
  return value.get<bool>() ? "yes" : "no";
}

Json claim_to_json(const Claim& claim) {
  Json json = Json::object();
  for (const backends::ClaimWord& each : backends::claim_words(claim))
    json[json_key(each)] = json_of(each);
  return json;
}

bool get_claim(const Json& json, Claim& claim) {
  auto read = backends::claim_from([&json](const backends::ClaimWord& key) { return word_in(json, key); });
  if (!std::holds_alternative<Claim>(read)) return false;
  claim = std::get<Claim>(std::move(read));
  return true;
}

// Returns the name and the SHA-256 of each file.
Json digests_to_json(const std::vector<Plan::Corpus>& files) {
  Json list = Json::array();
  for (const Plan::Corpus& file : files)
    list.push_back({{"name", file.name}, {"sha256", file.digest}});
  return list;
}

std::vector<Plan::Corpus> digests_in(const Json& fields, const char* key) {
  std::vector<Plan::Corpus> files;
  if (const auto found = fields.find(key); found != fields.end())
    for (const Json& file : *found)
      files.push_back({file.at("name"), file.at("sha256")});
  return files;
}

Json clauses_to_json(const std::vector<const Clause*>& clauses) {
  Json list = Json::array();
  for (const Clause* clause : clauses) {
    list.push_back({{"id", clause->id},
                    {"kind", std::string(name(clause->kind))},
                    {"name", clause->name},
                    {"testable", clause->testable}});
    if (!clause->testable) list.back()["because"] = clause->untestable_because;
  }
  return list;
}

// Reads the header's clauses.  Returns false if the kind of a clause is unknown.
bool get_clauses(const Json& json, RunHeader& header) {
  auto clauses = std::make_shared<std::vector<Clause>>();
  for (const Json& item : json) {
    Clause& clause = clauses->emplace_back();
    item.at("id").get_to(clause.id);
    item.at("name").get_to(clause.name);
    item.at("testable").get_to(clause.testable);
    clause.untestable_because = item.value("because", std::string());
    if (!read_kind(item.at("kind").get_ref<const std::string&>(), clause.kind)) return false;
  }
  header.clauses_listed = std::move(clauses);
  return true;
}

constexpr const char* door_in_process = "in-process";

Error malformed(std::string_view why) {
  return Error{Error::Code::bad_literal, "the header is malformed: " + std::string(why)};
}

}  // namespace

Json header_to_json(const RunHeader& header) {
  const PlanOptions& options = header.options;
  Json fields = {{"format", records_format},
                 {"certile", header.certile_version},
                 {"spelling", valid_utf8(header.spelling)},
                 {"claim", claim_to_json(header.claim)},
                 {"door", header.door.shares_memory ? door_in_process : "worker"},
                 {"backend_sha256", header.backend_digest},
                 {"tier", std::string(name(options.tier))},
                 {"operators", names_of(options.definitions)},
                 {"seed", options.seed},
                 {"random_cases", or_null(options.random_cases)},
                 {"requirements", options.clauses},
                 {"cases", options.literals},
                 {"corpora", options.corpora},
                 {"level", header.level == Level::full ? "full" : "text"},
                 {"plan_sha256", header.plan_digest},
                 {"planned", header.planned},
                 {"filtered", header.filtered},
                 {"isolation", header.isolation},
                 {"pages", digests_to_json(header.pages)},
                 {"clauses", clauses_to_json(header.clauses())}};
  if (!options.also.empty()) fields["also"] = options.also;
  if (options.budget)
    fields["budget"] = {{"of", header.before_budget.value_or(0)}, {"asks", to_string(*options.budget)}};
  if (!header.certile_commit.empty()) {
    fields["commit"] = header.certile_commit;
    fields["dirty"] = header.certile_dirty;
  }
  for (const Environment& each : header.environments)
    fields["environments"].push_back({{"architecture", each.architecture},
                                      {"processor", valid_utf8(each.processor)},
                                      {"kernel", each.kernel},
                                      {"libc", each.libc}});
  for (const Part& part : header.parts)
    fields["backend_parts"].push_back(
        {{"name", part.name}, {"version", part.version}, {"sha256", part.digest}});
  if (!header.corpora.empty()) fields["corpora_read"] = digests_to_json(header.corpora);
  if (!header.waivers.path.empty())
    fields["waivers"] = {
        {"path", header.waivers.path}, {"sha256", header.waivers.digest}, {"count", header.waivers.count}};
  if (const auto& part = header.shard)
    fields["shard"] = {{"index", part->shard.index},
                       {"of", part->shard.of},
                       {"cases", part->cases},
                       {"host", valid_utf8(part->host)}};
  return Json{{"header", std::move(fields)}};
}

Result<RunHeader> header_from_json(const Json& json) {
  RunHeader header;
  try {
    const Json& fields = json.at("header");
    int format = 0;
    get_whole(fields.at("format"), format);
    if (format != 1 && format != records_format) {
      return malformed("format " + std::to_string(format) +
                       " is unknown to this certile, which reads formats 1 and " +
                       std::to_string(records_format));
    }
    PlanOptions& options = header.options;
    fields.at("certile").get_to(header.certile_version);
    fields.at("spelling").get_to(header.spelling);
    if (!get_claim(fields.at("claim"), header.claim))
      return malformed("the claim names an unknown operator or type");
    fields.at("backend_sha256").get_to(header.backend_digest);
    const auto tier = tier_named(fields.at("tier").get_ref<const std::string&>());
    if (!tier) return malformed("the tier is unknown");
    options.tier = *tier;
    if (!get_names(fields.at("operators"), options.definitions, definition_named))
      return malformed("an operator is unknown");
    get_whole(fields.at("seed"), options.seed);
    get_optional(fields.at("random_cases"), options.random_cases);
    fields.at("requirements").get_to(options.clauses);
    fields.at("cases").get_to(options.literals);
    fields.at("corpora").get_to(options.corpora);
    const auto& level = fields.at("level").get_ref<const std::string&>();
    if (level != "full" && level != "text") return malformed("the level is neither full nor text");
    header.level = level == "full" ? Level::full : Level::text;
    fields.at("plan_sha256").get_to(header.plan_digest);
    get_whole(fields.at("planned"), header.planned);
    fields.at("filtered").get_to(header.filtered);
    fields.at("isolation").get_to(header.isolation);
    if (const auto parts = fields.find("backend_parts"); parts != fields.end())
      for (const Json& part : *parts)
        header.parts.push_back({part.at("name"), part.at("version"), part.at("sha256")});
    header.certile_commit = fields.value("commit", std::string());
    header.certile_dirty = fields.value("dirty", false);
    if (const auto environments = fields.find("environments"); environments != fields.end())
      for (const Json& each : *environments)
        header.environments.push_back(
            {each.at("architecture"), each.at("processor"), each.at("kernel"), each.at("libc")});
    header.corpora = digests_in(fields, "corpora_read");
    if (format == 1) {
      fields.at("claim").at("in_process").get_to(header.door.shares_memory);
    } else {
      header.door.shares_memory = fields.at("door") == door_in_process;
      header.pages = digests_in(fields, "pages");
      if (!get_clauses(fields.at("clauses"), header)) return malformed("the kind of a clause is unknown");
      options.also = fields.value("also", std::vector<std::string>());
    }
    if (const auto budget = fields.find("budget"); budget != fields.end()) {
      get_whole(budget->at("of"), header.before_budget.emplace());
      const auto parsed = parse_budget(budget->at("asks").get_ref<const std::string&>());
      if (!parsed) return malformed(parsed.error().what);
      options.budget = *parsed;
    }
    if (const auto waivers = fields.find("waivers"); waivers != fields.end()) {
      waivers->at("path").get_to(header.waivers.path);
      waivers->at("sha256").get_to(header.waivers.digest);
      get_whole(waivers->at("count"), header.waivers.count);
    }
    if (const auto shard = fields.find("shard"); shard != fields.end()) {
      auto& part = header.shard.emplace();
      get_whole(shard->at("index"), part.shard.index);
      get_whole(shard->at("of"), part.shard.of);
      get_whole(shard->at("cases"), part.cases);
      shard->at("host").get_to(part.host);
      if (part.shard.index < 1 || part.shard.index > part.shard.of || part.shard.of > Shard::most)
        return malformed("there is no such shard");
    }
  } catch (const Json::exception& exception) {
    return malformed(exception.what());
  }
  return header;
}

}  // namespace certile::conformance
