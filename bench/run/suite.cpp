#include "bench/run/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "bench/run/regime.hpp"
#include "bench/run/sweep.hpp"
#include "conformance/plan/corpus.hpp"
#include "conformance/text/caret.hpp"
#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/embedded.hpp"

namespace certile::bench {

// Returns suites/*.tile, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_suites();

namespace {

constexpr std::string_view sweep_name = "sweep";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Error refused(std::string why) {
  return {Error::Code::bad_literal, std::move(why)};
}

// Returns the case to time; `words` are those of the line.
Result<SuiteCase> to_time(Case question, std::string_view words) {
  if (question.placement != Placement{}) return refused("a timed case does not say where its buffers lie");
  const auto promoted = oracle::settled_tiling(question);
  if (!promoted) return refused("there is nothing to time: " + promoted.error().what);
  const auto count = element_count(promoted->output);
  if (!count || !byte_size(question.data.type(), *count)) return refused("the output is too large");
  if (*count == 0) return refused("there is nothing to time: the output has no elements");
  SuiteCase timed;
  const auto colon = words.find(':');
  timed.words = trimmed(colon == words.npos ? words : words.substr(colon + 1));
  timed.regime = colon == words.npos ? std::string(regime_of(question.data.type(), *promoted))
                                     : std::string(trimmed(words.substr(0, colon)));
  timed.question = std::move(question);
  return timed;
}

bool is_path(std::string_view name) {
  return name.find_first_of("/.") != name.npos;
}

}  // namespace

Result<SuiteCase> case_to_time(std::string_view literal) {
  auto question = parse_case(literal);
  if (!question) return Error{question.error().code, conformance::with_caret(question.error().what, literal)};
  return to_time(*std::move(question), {});
}

Result<Suite> parse_suite(const std::string& name, std::string_view text) {
  Suite suite{name, {}};
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = trimmed(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    if (line.empty() || line.front() == '#') continue;
    const auto here = [&](const Error& error) {
      return Error{error.code, name + ":" + std::to_string(number) + ": " + error.what};
    };
    auto parsed = parse_corpus_line(line);
    if (!parsed) return here({parsed.error().code, conformance::with_caret(parsed.error().what, line)});
    auto timed = to_time(std::move(parsed->question), parsed->words);
    if (!timed) return here(timed.error());
    suite.cases.push_back(*std::move(timed));
  }
  if (suite.cases.empty()) return Error{Error::Code::io, "the suite " + name + " has no case in it"};
  return suite;
}

std::vector<std::string> built_in_suites() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_suites())
    names.push_back(std::filesystem::path(file.name).stem());
  names.emplace_back(sweep_name);
  return names;
}

Result<Suite> load_suite(const std::string& name_or_path) {
  if (is_path(name_or_path)) {
    const auto file = conformance::read_corpus(name_or_path);
    if (!file) return file.error();
    return parse_suite(file->name, file->text);
  }
  if (name_or_path == sweep_name) return parse_suite(name_or_path, sweep_text());
  for (const EmbeddedFile& file : embedded_suites())
    if (file.name == name_or_path + ".tile") return parse_suite(name_or_path, file.text);
  return Error{Error::Code::io, "there is no suite '" + conformance::printable(name_or_path) +
                                    "'; there are " + conformance::joined(built_in_suites(), ", ") +
                                    "; the path of a file contains a '/' or a '.'"};
}

}  // namespace certile::bench
