#include "reference/oracle/open_case.hpp"

#include <algorithm>

#include "reference/oracle/promote.hpp"
#include "reference/values/call.hpp"

namespace certile {
namespace {

// [ONNX-T13-U1] [ONNX-T6-U1] the strings of ONNX are UTF-8; what Tile does with other bytes is not said.
// The canonical spelling of a string that is not UTF-8 is 0x and its bytes, and of no other.
std::optional<std::string_view> clause_of_strings(const Case& question) {
  if (question.data.type != ElementType::string || !question.data.elements) return std::nullopt;
  const bool is_utf8 = std::ranges::none_of(
      *question.data.elements, [](const std::string& spelling) { return spelling.starts_with("0x"); });
  if (is_utf8) return std::nullopt;
  if (question.op == Operator::onnx_tile_13) return "ONNX-T13-U1";
  if (question.op == Operator::onnx_tile_6) return "ONNX-T6-U1";
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> left_open(const Case& question) {
  if (const auto clause = clause_of_strings(question)) return clause;
  // The types and shapes alone, so no tensor is made.
  Call call{question.op,
            {question.data.type, question.data.shape, {}},
            {question.repeats.type, question.repeats.shape, {}},
            std::nullopt};
  if (question.axis) call.axis = TensorView{question.axis->type, question.axis->shape, {}};
  return left_open(call);
}

}  // namespace certile
