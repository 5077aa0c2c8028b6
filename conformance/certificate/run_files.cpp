#include "conformance/certificate/run_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "conformance/certificate/statement.hpp"
#include "conformance/records/record_json.hpp"
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
