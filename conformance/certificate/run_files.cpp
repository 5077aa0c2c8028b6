#include "conformance/certificate/run_files.hpp"

#include "conformance/certificate/statement.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

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

}  // namespace

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

}  // namespace certile::conformance
