#include "conformance/records/record_json.hpp"

namespace certile {
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

// False when a name is not one that `named` knows.
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

Json claim_to_json(const Description& claim) {
  return {{"name", claim.name},
          {"version", claim.version},
          {"operators", names_of(claim.definitions)},
          {"types", names_of(claim.types)},
          {"repeats_types", names_of(claim.repeats_types)},
          {"max_rank", or_null(claim.max_rank)},
          {"max_elements", or_null(claim.max_elements)},
          {"max_bytes", or_null(claim.max_bytes)},
          {"infers", claim.infers},
          {"in_process", claim.in_process}};
}

bool get_claim(const Json& json, Description& claim) {
  json.at("name").get_to(claim.name);
  json.at("version").get_to(claim.version);
  get_optional(json.at("max_rank"), claim.max_rank);
  get_optional(json.at("max_elements"), claim.max_elements);
  get_optional(json.at("max_bytes"), claim.max_bytes);
  json.at("infers").get_to(claim.infers);
  json.at("in_process").get_to(claim.in_process);
  return get_names(json.at("operators"), claim.definitions, definition_named) &&
         get_names(json.at("types"), claim.types, element_type_named) &&
         get_names(json.at("repeats_types"), claim.repeats_types, element_type_named);
}

Error malformed(std::string_view why) {
  return Error{Error::Code::bad_literal, "the header is malformed: " + std::string(why)};
}

}  // namespace

Json header_to_json(const RunHeader& header) {
  const PlanOptions& options = header.options;
  Json fields = {{"format", records_format},
                 {"certile", header.certile_version},
                 {"spelling", header.spelling},
                 {"claim", claim_to_json(header.claim)},
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
                 {"isolation", header.isolation}};
  for (const Part& part : header.parts)
    fields["backend_parts"].push_back(
        {{"name", part.name}, {"version", part.version}, {"sha256", part.digest}});
  for (const Plan::Corpus& corpus : header.corpora)
    fields["corpora_read"].push_back({{"name", corpus.name}, {"sha256", corpus.digest}});
  if (!header.waivers.path.empty())
    fields["waivers"] = {
        {"path", header.waivers.path}, {"sha256", header.waivers.digest}, {"count", header.waivers.count}};
  return Json{{"header", std::move(fields)}};
}

Result<RunHeader> header_from_json(const Json& json) {
  RunHeader header;
  try {
    const Json& fields = json.at("header");
    int format = 0;
    get_whole(fields.at("format"), format);
    if (format != records_format) {
      return malformed("format " + std::to_string(format) +
                       " is not one that this certile reads; it reads format " +
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
    if (const auto corpora = fields.find("corpora_read"); corpora != fields.end())
      for (const Json& corpus : *corpora)
        header.corpora.push_back({corpus.at("name"), corpus.at("sha256")});
    if (const auto waivers = fields.find("waivers"); waivers != fields.end()) {
      waivers->at("path").get_to(header.waivers.path);
      waivers->at("sha256").get_to(header.waivers.digest);
      get_whole(waivers->at("count"), header.waivers.count);
    }
  } catch (const Json::exception& exception) {
    return malformed(exception.what());
  }
  return header;
}

}  // namespace certile
