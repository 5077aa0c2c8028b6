#include "bench/run/same_tiling.hpp"

#include <algorithm>

#include "reference/oracle/promote.hpp"
#include "reference/values/call.hpp"

namespace certile {

std::string as_claimed(const std::string& literal, std::span<const Operator> claimed) {
  const auto question = parse_case(literal);
  // Tile-1 of ONNX has an operand more than the others.
  if (!question || question->axis || std::ranges::find(claimed, question->op) != claimed.end())
    return literal;
  const auto tiling = promote(make_shape_call(*question).call());
  if (!tiling) return literal;
  for (const Operator op : all_operators()) {
    if (op == Operator::onnx_tile_1 || std::ranges::find(claimed, op) == claimed.end()) continue;
    Case other = *question;
    other.op = op;
    const auto same = promote(make_shape_call(other).call());
    if (same && same->data == tiling->data && same->repeats == tiling->repeats) return to_string(other);
  }
  return literal;
}

}  // namespace certile
