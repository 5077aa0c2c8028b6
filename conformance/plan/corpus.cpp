#include "conformance/plan/corpus.hpp"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "conformance/text/input_file.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/embedded.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// Returns the files of plan/witnesses/, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_witnesses();

namespace {

std::unordered_set<std::string_view> all_lines() {
  std::unordered_set<std::string_view> lines;
  for (const EmbeddedFile& file : embedded_witnesses()) {
    std::string_view text = file.text;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (!line.empty() && line.front() != '#') lines.insert(line);
    }
  }
  return lines;
}

}  // namespace

bool is_witness(std::string_view literal) {
  static const std::unordered_set<std::string_view> listed = all_lines();
  return listed.contains(literal);
}

// Returns corpora/*.tile, embedded by CMakeLists.txt.
std::span<const EmbeddedFile> embedded_corpora();

namespace {

std::string_view without_space_at_ends(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::string in_short(const Expectation& expected, ElementType type) {
  if (const auto* refusal = std::get_if<Reject>(&expected))
    return "reject # " + std::string(text_of(refusal->clause));
  if (const auto* open = std::get_if<Unspecified>(&expected))
    return "unspecified # " + std::string(text_of(open->clause));
  return shape_to_string(type, std::get<Answer>(expected).shape);
}

// Returns true if the words of an expectation name no clause, or this one.
bool names_clause(std::string_view words, std::string_view clause) {
  const std::string_view named = clause_in(words);
  return named.empty() || named == clause;
}

bool agrees(const CorpusLine& line, const Expectation& expected) {
  switch (line.expects) {
    case CorpusLine::Expects::whatever_the_oracle_says:
      return true;
    case CorpusLine::Expects::unspecified: {
      const auto* open = std::get_if<Unspecified>(&expected);
      return open && names_clause(line.words, text_of(open->clause));
    }
    case CorpusLine::Expects::reject: {
      const auto* refusal = std::get_if<Reject>(&expected);
      return refusal && names_clause(line.words, text_of(refusal->clause));
    }
    case CorpusLine::Expects::tensor:
      break;
  }
  const auto* answer = std::get_if<Answer>(&expected);
  if (!answer || line.tensor->type() != line.question.data.type() || line.tensor->shape() != answer->shape)
    return false;
  return line.tensor->bytes().empty() || answer->tensors.empty() || *line.tensor == answer->tensors.front();
}

}  // namespace

const std::vector<CorpusText>& built_in_corpora() {
  static const std::vector<CorpusText> corpora = [] {
    std::vector<CorpusText> all;
    for (const EmbeddedFile& file : embedded_corpora())
      all.push_back({std::string(file.name), std::string(file.text)});
    return all;
  }();
  return corpora;
}

Result<CorpusText> read_corpus(const std::string& path, const std::atomic<bool>* interrupted) {
  TRY(auto text, read_text(path, "the corpus", interrupted));
  return CorpusText{path, std::move(text)};
}

std::string_view clause_in(std::string_view words) {
  const Clause* clause = find_clause(words.substr(0, words.find(' ')));
  return clause ? std::string_view(clause->id) : std::string_view();
}

Result<Done> check_expectation(const CorpusLine& line) {
  if (line.expects == CorpusLine::Expects::whatever_the_oracle_says) return Done{};
  Case alone = line.question;  // placement and threads do not change the answer
  alone.placement = {.shape_only = alone.placement.shape_only};
  TRY(const auto expected, expect(alone));
  if (agrees(line, expected)) return Done{};
  return Error{Error::Code::bad_literal,
               "the oracle does not expect this, but " + in_short(expected, line.question.data.type()) +
                   "; see it all: certile oracle '" + to_string(line.question) + "'"};
}

Result<std::vector<Case>> parse_corpus(const CorpusText& corpus, const std::atomic<bool>* interrupted) {
  std::vector<Case> cases;
  std::string_view rest = corpus.text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    if (interrupted != nullptr && interrupted->load())
      return Error{Error::Code::io, "the corpus " + corpus.name + " was not read to its end: interrupted"};
    const std::string_view line = without_space_at_ends(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    if (line.empty() || line.front() == '#') continue;
    const auto here = [&](const Error& error) {
      return Error{error.code, corpus.name + ":" + std::to_string(number) + ": " + error.what, error.clause};
    };
    auto parsed = parse_corpus_line(line);
    if (!parsed) return here({parsed.error().code, with_caret(parsed.error().what, line)});
    if (const auto checked = check_expectation(*parsed); !checked) return here(checked.error());
    cases.push_back(std::move(parsed->question));
  }
  if (cases.empty()) return Error{Error::Code::io, "the corpus " + corpus.name + " has no case in it"};
  return cases;
}

}  // namespace certile::conformance
