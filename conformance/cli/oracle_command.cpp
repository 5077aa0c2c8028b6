#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/plan/corpus.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

// Returns the bytes of an output of strings, views and characters, whose `count` elements repeat `data`.
std::size_t bytes_of_strings(const Tensor& data, std::int64_t count) {
  std::size_t bytes = byte_size(data.type(), count).value();
  const auto copies = static_cast<std::size_t>(count / data.count());
  for (std::int64_t index = 0; index < data.count(); ++index)
    bytes += data.string_element(index).size() * copies;
  return bytes;
}

Error too_large() {
  return {Error::Code::out_of_memory,
          "the answer is larger than 1 MiB; ask for its shape alone with --shape"};
}

// Returns the answer of the oracle as a line of a corpus, whose words are the clause that refuses the case or
// leaves it open.
Result<CorpusLine> ask(const Case& question, bool shape_only) {
  TRY(auto expected, expect_shape(question));
  CorpusLine answer{question, CorpusLine::Expects::tensor, {}, {}};
  if (const auto* refusal = std::get_if<Reject>(&expected)) {
    answer.expects = CorpusLine::Expects::reject;
    answer.words = text_of(refusal->clause);
    return answer;
  }
  if (const auto* open = std::get_if<Unspecified>(&expected)) {
    answer.expects = CorpusLine::Expects::unspecified;
    answer.words = text_of(open->clause);
    return answer;
  }
  const ElementType type = question.data.type();
  const Shape& shape = std::get<Answer>(expected).shape;
  answer.tensor = Tensor::without_elements(type, shape);
  const auto count = element_count(shape);
  if (shape_only || question.placement.shape_only || count == 0) return answer;
  constexpr std::size_t largest = std::size_t{1} << 20U;
  const std::optional<std::size_t> bytes = count ? byte_size(type, *count) : std::nullopt;
  // An output that has elements is at least as large as the data, so this check also limits the data.
  if (!bytes || *bytes > largest) return too_large();
  const Tensor data = data_of(question);
  if (type == ElementType::string && bytes_of_strings(data, *count) > largest) return too_large();
  TRY(auto tensor, oracle::tile(question, data));
  answer.tensor = std::move(tensor);
  return answer;
}

// Returns an expectation or an answer, perhaps with a clause or with the elements that it has.
std::string spelled(const CorpusLine& line, std::string_view clause, bool with_elements = false) {
  if (line.expects == CorpusLine::Expects::tensor)
    return with_elements && !line.tensor->bytes().empty()
               ? to_string(*line.tensor)
               : shape_to_string(line.tensor->type(), line.tensor->shape());
  return (line.expects == CorpusLine::Expects::reject ? "reject" : "unspecified") +
         (clause.empty() ? "" : " # " + std::string(clause));
}

// Compares the line's expectation, if it has one, with the oracle's answer.  Elements are compared if both
// sides have them, and clauses if the line's words begin with one.
Result<Done> agree(const CorpusLine& line, const CorpusLine& answer) {
  const auto differ = [](const std::string& expected, const std::string& said) {
    return Error{Error::Code::bad_literal, "expected " + expected + ", the oracle says " + said};
  };
  if (line.expects == CorpusLine::Expects::whatever_the_oracle_says) return Done{};
  const bool wants_tensor = line.expects == CorpusLine::Expects::tensor;
  if (line.expects != answer.expects || (wants_tensor && (line.tensor->type() != answer.tensor->type() ||
                                                          line.tensor->shape() != answer.tensor->shape())))
    return differ(spelled(line, {}), spelled(answer, answer.words));
  const std::string_view clause = clause_in(line.words);
  if (!wants_tensor && !clause.empty() && clause != answer.words)
    return differ(spelled(line, clause), spelled(answer, answer.words));
  if (!wants_tensor || line.tensor->bytes().empty() || answer.tensor->bytes().empty()) return Done{};
  for (std::int64_t index = 0; index < line.tensor->count(); ++index) {
    const std::string expected = element_to_string(*line.tensor, index);
    const std::string element = element_to_string(*answer.tensor, index);
    if (expected != element)
      return differ("element " + std::to_string(index) + " to be " + expected, element);
  }
  return Done{};
}

// Returns the answer to one line.
Result<std::string> answer_line(std::string_view text, bool shape_only) {
  const Result<CorpusLine> line = parse_corpus_line(text);
  if (!line) return line.error();
  const Result<CorpusLine> answer = ask(line->question, shape_only);
  if (!answer) return answer.error();
  if (const Result<Done> agreed = agree(*line, *answer); !agreed) return agreed.error();
  return to_string(line->question) + " => " + spelled(*answer, answer->words, true);
}

bool is_skipped(std::string_view line) {
  return line.starts_with('#') || line.find_first_not_of(' ') == std::string_view::npos;
}

// Answers every line of `in`.  Returns false if any answer is an error.
bool answer_lines(bool shape_only, std::istream& in, std::ostream& out) {
  constexpr std::size_t enough = std::size_t{1} << 16U;
  bool all_fine = true;
  std::string waiting;
  for (std::string line; std::getline(in, line);) {
    if (!is_skipped(line)) {
      const Result<std::string> answer = answer_line(line, shape_only);
      all_fine = all_fine && answer;
      waiting += answer ? *answer : "error: " + answer.error().what;
      waiting += '\n';
    }
    // A program that asks line by line waits for each answer, so answers are flushed when no input waits.
    const bool nothing_at_hand = in.rdbuf()->in_avail() <= 0;
    if (waiting.size() < enough && !nothing_at_hand) continue;
    out.write(waiting.data(), static_cast<std::streamsize>(waiting.size()));
    if (nothing_at_hand) out.flush();
    waiting.clear();
  }
  out.write(waiting.data(), static_cast<std::streamsize>(waiting.size()));
  // getline() ends for a read error as it does at the end of the input.
  if (in.bad()) out << "error: the input could not be read to its end\n";
  return all_fine && !in.bad();
}

}  // namespace

int oracle_command(const OracleOptions& options, std::istream& in, std::ostream& out, std::ostream& error) {
  if (options.literal == "-")
    return answer_lines(options.shape_only, in, out) ? exit_conformant : exit_bad_command;
  const Result<std::string> answer = answer_line(options.literal, options.shape_only);
  if (!answer) return complain(error, with_caret(answer.error().what, options.literal));
  out << *answer << '\n';
  return exit_conformant;
}

}  // namespace certile::conformance
