#include "conformance/certificate/statement_reader.hpp"

#include "conformance/certificate/statement.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
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

std::optional<std::string> name_of_subject(std::string_view text, std::string_view digest) {
  const Json json = read_statement(text);
  if (json.is_discarded()) return std::nullopt;
  try {
    for (const Json& subject : json.at("subject"))
      if (digest.empty() || subject.at("digest").at("sha256") == digest)
        return subject.at("name").get<std::string>();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

std::string digest_of_records(std::string_view text) {
  const Json json = read_statement(text);
  if (json.is_discarded()) return {};
  try {
    for (const Json& each : json.at("predicate").at("configuration"))
      if (each.at("name") == records_name) return each.at("digest").at("sha256").get<std::string>();
  } catch (const Json::exception&) {
    return {};
  }
  return {};
}

}  // namespace certile::conformance
