#include "conformance/page/picture_data.hpp"

#include <variant>

#include "conformance/judge/expectation.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/literal_operand.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile::conformance {
namespace {

// The largest output of a picture: a page draws no more elements than a person looks at.
constexpr std::int64_t most_elements = 1024;

std::string bits_of(const Tensor& tensor) {
  if (tensor.type() == ElementType::string) return {};
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::int64_t index = 0; index < tensor.count(); ++index) {
    const Tensor::Bits bits = tensor.element(index);
    for (int digit = (certile::bits(tensor.type()) + 3) / 4; digit-- > 0;)
      text += digits[(digit < 16 ? bits.low : bits.high) >> (digit % 16 * 4) & 0xf];
  }
  return text;
}

Json of_answer(const Case& question, const Answer& answer) {
  if (answer.tensors.size() != 1) return nullptr;
  const Tensor data = data_of(question);
  const Tensor& expected = answer.tensors.front();
  return {{"data", to_string(data)},
          {"data_bits", bits_of(data)},
          {"expected", to_string(expected)},
          {"expected_bits", bits_of(expected)}};
}

}  // namespace

Json picture_data(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return nullptr;
  const auto shape = expect_shape(*question);
  if (!shape) return nullptr;
  if (const auto* reject = std::get_if<Reject>(&*shape))
    return {{"refused", std::string(text_of(reject->clause))}, {"why", reject->why}};
  if (const auto* open = std::get_if<Unspecified>(&*shape))
    return {{"open", std::string(text_of(open->clause))}};
  const auto count = element_count(std::get<Answer>(*shape).shape);
  const bool is_drawn = count && *count <= most_elements && question->data.count() <= most_elements;
  if (!is_drawn || question->placement.shape_only || question->placement.threads > 1) return nullptr;
  const auto expected = expect(*question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  return answer == nullptr ? Json(nullptr) : of_answer(*question, *answer);
}

std::string bits_of_operand(const std::string& operand) {
  LiteralScanner scanner(operand);
  const auto tensor = take_operand(scanner);
  return tensor && !tensor->bytes().empty() ? bits_of(*tensor) : std::string();
}

}  // namespace certile::conformance
