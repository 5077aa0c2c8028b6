#include "reference/values/case.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "reference/values/literal_operand.hpp"
#include "reference/values/literal_options.hpp"
#include "reference/values/literal_scanner.hpp"

namespace certile {
namespace {

// The canonical spelling of anything is at most three times as long as any other (0x00 → "\u0000"), so
// shorter literals fit without a print.
constexpr std::size_t always_short_enough = longest_literal / 4;

Error too_long(std::string_view which, std::size_t size) {
  return LiteralScanner::at(longest_literal, "a literal has at most 4,096 characters, " + std::string(which) +
                                                 " has " + std::to_string(size));
}

// Returns "openvino-tile-1, onnx-tile-13 or onnx-tile-6".
std::string in_words(const std::vector<DefinitionId>& definitions) {
  std::string text;
  for (std::size_t index = 0; index < definitions.size(); ++index) {
    if (index > 0) text += index + 1 == definitions.size() ? " or " : ", ";
    text += name(definitions[index]);
  }
  return text;
}

Result<DefinitionId> take_definition(LiteralScanner& scanner) {
  LiteralScanner ahead = scanner;
  const std::optional<DefinitionId> definition = definition_named(ahead.take_hyphenated_name());
  if (!definition) {
    return scanner.expected("a definition (" + in_words(all_definitions()) + ")");
  }
  scanner = ahead;
  return *definition;
}

// Reads repeats or an axis: tensors whose elements are always spelled out.
Result<Tensor> take_spelled_operand(LiteralScanner& scanner, std::string_view which) {
  Result<Tensor> operand = take_operand(scanner);
  if (operand && operand->bytes().empty() && operand->count() != 0)
    return scanner.expected("{, because the elements of " + std::string(which) + " are always spelled out");
  return operand;
}

Result<Done> take_axis(LiteralScanner& scanner, Case& question) {
  const std::size_t begin = scanner.position();
  const bool wanted = has_axis(question.definition);
  if (!scanner.take(" along ")) {
    if (wanted)
      return scanner.expected("\" along \" and the axis, which " + std::string(name(question.definition)) +
                              " needs");
    return Done{};
  }
  if (!wanted) {
    std::vector<DefinitionId> others;
    std::ranges::copy_if(all_definitions(), std::back_inserter(others), has_axis);
    return LiteralScanner::at(begin + 1, "only " + in_words(others) + " has an axis to go along");
  }
  Result<Tensor> axis = take_spelled_operand(scanner, "the axis");
  if (!axis) return axis.error();
  question.axis = *std::move(axis);
  return Done{};
}

Result<Done> take_options(LiteralScanner& scanner, Case& question) {
  const std::size_t begin = scanner.position();
  if (scanner.take(" fill=")) {
    if (!question.data.bytes().empty())
      return LiteralScanner::at(begin + 1, "a fill is for data that is not spelled out");
    const Result<Fill> fill = take_fill(scanner);
    if (!fill) return fill.error();
    question.fill = *fill;
  }
  if (scanner.take(" @")) {
    const Result<Placement> placement = take_placement(scanner, question.data.type());
    if (!placement) return placement.error();
    question.placement = *placement;
  }
  return Done{};
}

// Reads a case of any length, and leaves the scanner after it.
Result<Case> take_long_case(LiteralScanner& scanner) {
  const Result<DefinitionId> definition = take_definition(scanner);
  if (!definition) return definition.error();
  Case question;
  question.definition = *definition;
  if (!scanner.take(' ')) return scanner.expected("a space and the data");
  Result<Tensor> data = take_operand(scanner);
  if (!data) return data.error();
  question.data = *std::move(data);
  if (!scanner.take(" x ")) return scanner.expected("\" x \" and the repeats");
  const std::size_t begin_of_repeats = scanner.position();
  Result<Tensor> repeats = take_spelled_operand(scanner, "repeats");
  if (!repeats) return repeats.error();
  if (call_form(*definition) == CallForm::repeats_attribute && repeats->type() != ElementType::i64)
    return LiteralScanner::at(begin_of_repeats + 1,
                              "the repeats of " + std::string(name(*definition)) +
                                  " are integers without an element type, spelled as i64");
  question.repeats = *std::move(repeats);
  if (const Result<Done> axis = take_axis(scanner, question); !axis) return axis.error();
  if (const Result<Done> options = take_options(scanner, question); !options) return options.error();
  return question;
}

// Reads a case, and leaves the scanner after it.
Result<Case> take_case(LiteralScanner& scanner) {
  const std::size_t begin = scanner.position();
  Result<Case> question = take_long_case(scanner);
  if (!question) return question;
  const std::size_t size = scanner.position() - begin;
  if (size > longest_literal) return too_long("this one", size);
  if (size > always_short_enough) {
    const std::size_t canonical = to_string(*question).size();
    if (canonical > longest_literal) return too_long("the canonical form of this one", canonical);
  }
  return question;
}

// Returns the words that may still follow the case that ended here, for a message: its unused options and
// `others`.
std::string what_may_follow(const Case& question, std::vector<std::string_view> others) {
  std::vector<std::string_view> all;
  const bool has_placement = question.placement != Placement{};
  if (!has_placement && question.data.bytes().empty() && question.fill == Fill{}) all.push_back("\" fill=\"");
  if (!has_placement) all.push_back("\" @\"");
  all.insert(all.end(), others.begin(), others.end());
  std::string text;
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (index > 0) text += index + 1 == all.size() ? " or " : ", ";
    text += all[index];
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

Result<Done> take_expectation(LiteralScanner& scanner, CorpusLine& line) {
  if (scanner.take("reject")) {
    line.expects = CorpusLine::Expects::reject;
  } else if (scanner.take("unspecified")) {
    line.expects = CorpusLine::Expects::unspecified;
  } else {
    Result<Tensor> tensor = take_operand(scanner);
    if (!tensor) return tensor.error();
    line.expects = CorpusLine::Expects::tensor;
    line.tensor = *std::move(tensor);
  }
  return Done{};
}

}  // namespace

Result<Case> parse_case(std::string_view literal) {
  if (literal.size() > longest_literal) return too_long("this one", literal.size());
  LiteralScanner scanner(literal);
  Result<Case> question = take_case(scanner);
  if (question && !scanner.at_end()) return scanner.expected(what_may_follow(*question, {"the end"}));
  return question;
}

std::string to_string(const Case& question) {
  std::string text;
  text.reserve(96);
  text += name(question.definition);
  text += ' ';
  append_operand(text, question.data);
  text += " x ";
  append_spelled_operand(text, question.repeats);
  if (question.axis) {
    text += " along ";
    append_spelled_operand(text, *question.axis);
  }
  append_fill(text, question.fill);
  append_placement(text, question.placement);
  return text;
}

Case case_of(std::string_view canonical) {
  LiteralScanner scanner(canonical);
  return *take_long_case(scanner);
}

Result<CorpusLine> parse_corpus_line(std::string_view line) {
  LiteralScanner scanner(line);
  Result<Case> question = take_case(scanner);
  if (!question) return question.error();
  CorpusLine result;
  result.question = *std::move(question);
  scanner.skip_spaces();
  const bool has_expectation = scanner.take("=>");
  if (has_expectation) {
    scanner.skip_spaces();
    const Result<Done> taken = take_expectation(scanner, result);
    if (!taken) return taken.error();
    scanner.skip_spaces();
  }
  if (scanner.take('#')) {
    result.words = trimmed(scanner.rest());
  } else if (!scanner.at_end()) {
    return scanner.expected(has_expectation ? "# or the end"
                                            : what_may_follow(result.question, {"=>", "#", "the end"}));
  }
  return result;
}

}  // namespace certile
