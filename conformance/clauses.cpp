#include "conformance/clauses.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>

#include "conformance/case_traits.hpp"

namespace certile {
namespace {

// Tile-13 and Tile-6 have the same clauses under ids of their own.
struct OnnxIds {
  std::string_view tiling, numpy, input, rank_and_type, dimension, data_types, scalar, zero, overflow;
};
constexpr OnnxIds tile_13{"ONNX-T13-S1", "ONNX-T13-S2", "ONNX-T13-I1", "ONNX-T13-O1", "ONNX-T13-O2",
                          "ONNX-T13-T1", "ONNX-T13-X1", "ONNX-T13-X2", "ONNX-T13-X4"};
constexpr OnnxIds tile_6{"ONNX-T6-S1", "ONNX-T6-S2", "ONNX-T6-I1", "ONNX-T6-O1", "ONNX-T6-O2",
                         "ONNX-T6-T1", "ONNX-T6-X1", "ONNX-T6-X2", "ONNX-T6-X4"};

const OnnxIds& onnx_ids(Operator op) {
  return op == Operator::onnx_tile_6 ? tile_6 : tile_13;
}

std::string_view openvino_due(const CaseTraits& traits) {
  if (traits.negative) return "OV-T1-X5";
  if (traits.zero) return "OV-T1-X4";
  if (traits.rank == 0) return "OV-T1-X7";
  if (traits.repeats_count == 0) return "OV-T1-X6";
  if (traits.near_overflow) return "OV-T1-X9";
  if (traits.empty_data) return "OV-T1-I1";
  if (traits.repeats_count > traits.rank) return "OV-T1-R1";
  if (traits.repeats_count < traits.rank) return "OV-T1-R2";
  if (traits.question->repeats.type != ElementType::i64) return "OV-T1-T2";
  if (traits.question->data.type != ElementType::f32) return "OV-T1-T1";
  return "OV-T1-G2";
}

std::string_view onnx_due(const CaseTraits& traits, const OnnxIds& ids) {
  if (traits.zero) return ids.zero;
  if (traits.rank == 0) return ids.scalar;
  if (traits.near_overflow) return ids.overflow;
  if (traits.empty_data) return ids.input;
  if (traits.question->data.type != ElementType::f32) return ids.data_types;
  return ids.tiling;
}

// The plain form of tiles and axis: the data's type, rank 0.
bool is_plain(const Operand& operand, ElementType data_type) {
  return operand.type == data_type && operand.shape.empty();
}

std::string_view onnx_1_due(const CaseTraits& traits) {
  const Case& question = *traits.question;
  if (traits.zero) return "ONNX-T1-X4";
  if (traits.negative_axis) return "ONNX-T1-X3";
  if (traits.near_overflow) return "ONNX-T1-X1";
  if (!is_plain(question.repeats, question.data.type) || !is_plain(*question.axis, question.data.type))
    return "ONNX-T1-X2";
  if (traits.empty_data) return "ONNX-T1-I1";
  if (question.data.type != ElementType::f32) return "ONNX-T1-T1";
  return "ONNX-T1-S1";
}

// The first dimension that differs; the shapes have the same rank.
std::size_t first_wrong(const Shape& right, const Shape& seen) {
  return static_cast<std::size_t>(std::ranges::mismatch(right, seen).in1 - right.begin());
}

// The spelling of the repeat for `axis` of an output of `rank`, "1" where repeats were promoted.
std::string_view repeat_at(const Case& question, std::size_t rank, std::size_t axis) {
  if (!question.repeats.elements) return "1";
  const auto& repeats = *question.repeats.elements;
  const std::size_t promoted = rank - repeats.size();
  return axis < promoted ? std::string_view("1") : std::string_view(repeats[axis - promoted]);
}

// True where a negative repeat was read without its sign: 255 for i8{-1}.
bool is_read_unsigned(const Case& question, std::string_view repeat, std::int64_t dimension,
                      std::int64_t seen) {
  const int width = bits(question.repeats.type);
  std::int64_t value = 0;
  std::from_chars(repeat.data(), repeat.data() + repeat.size(), value);
  if (width >= 64 || dimension <= 0) return false;
  const std::int64_t unsigned_value = value + (std::int64_t{1} << width);
  return seen / dimension == unsigned_value && seen % dimension == 0;
}

std::string_view openvino_shape(const Case& question, const Shape& right, const Shape& seen) {
  const std::size_t rank = question.data.shape.size();
  const std::size_t count = question.repeats.elements ? question.repeats.elements->size() : 0;
  std::string_view promotion = "OV-T1-X1";
  if (count > rank) promotion = "OV-T1-R1";
  if (count < rank) promotion = count == 0 ? "OV-T1-X6" : "OV-T1-R2";
  if (right.size() != seen.size()) {
    if (rank == 0 && count == 0) return "OV-T1-X7";
    return count == rank ? "OV-T1-O1" : promotion;
  }
  const std::size_t axis = first_wrong(right, seen);
  if (axis == right.size()) return "OV-T1-O1";
  const std::string_view repeat = repeat_at(question, right.size(), axis);
  if (spells_zero(repeat)) return "OV-T1-X4";
  if (!spells_negative(repeat)) return promotion;
  const std::size_t new_axes = right.size() - rank;
  const std::int64_t dimension = axis < new_axes ? 1 : question.data.shape[axis - new_axes];
  return is_read_unsigned(question, repeat, dimension, seen[axis]) ? "OV-T1-T2" : "OV-T1-X5";
}

std::string_view onnx_shape(const Case& question, const Shape& right, const Shape& seen) {
  const OnnxIds& ids = onnx_ids(question.op);
  if (right.size() != seen.size()) return right.empty() ? ids.scalar : ids.rank_and_type;
  const std::size_t axis = first_wrong(right, seen);
  if (axis == right.size()) return ids.rank_and_type;
  return spells_zero(repeat_at(question, right.size(), axis)) ? ids.zero : ids.dimension;
}

// True where `seen` is what tiling some other axis would give.
bool is_of_another_axis(const Shape& data, const Shape& right, const Shape& seen) {
  std::size_t differing = 0;
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    if (seen[axis] == data[axis]) continue;
    if (right[axis] != data[axis]) return false;
    ++differing;
  }
  return differing == 1;
}

std::string_view onnx_1_shape(const Case& question, const Shape& right, const Shape& seen) {
  if (right.size() != seen.size() || right == seen) return "ONNX-T1-O1";
  const CaseTraits traits = traits_of(question);
  if (is_of_another_axis(question.data.shape, right, seen))
    return traits.negative_axis ? "ONNX-T1-X3" : "ONNX-T1-I3";
  return traits.zero ? "ONNX-T1-X4" : "ONNX-T1-X1";
}

}  // namespace

std::string_view due_clause(const Case& question) {
  const CaseTraits traits = traits_of(question);
  switch (question.op) {
    case Operator::openvino_tile_1:
      return openvino_due(traits);
    case Operator::onnx_tile_1:
      return onnx_1_due(traits);
    case Operator::onnx_tile_6:
    case Operator::onnx_tile_13:
      break;
  }
  return onnx_due(traits, onnx_ids(question.op));
}

std::string_view shape_clause(const Case& question, const Shape& right, const Shape& seen) {
  switch (question.op) {
    case Operator::openvino_tile_1:
      return openvino_shape(question, right, seen);
    case Operator::onnx_tile_1:
      return onnx_1_shape(question, right, seen);
    case Operator::onnx_tile_6:
    case Operator::onnx_tile_13:
      break;
  }
  return onnx_shape(question, right, seen);
}

std::string_view value_clause(Operator op) noexcept {
  if (op == Operator::openvino_tile_1) return "OV-T1-X2";
  return op == Operator::onnx_tile_1 ? std::string_view("ONNX-T1-S1") : onnx_ids(op).numpy;
}

std::string_view type_clause(Operator op) noexcept {
  if (op == Operator::openvino_tile_1) return "OV-T1-O2";
  return op == Operator::onnx_tile_1 ? std::string_view("ONNX-T1-O1") : onnx_ids(op).rank_and_type;
}

std::string_view contract_clause(Fault fault) noexcept {
  switch (fault) {
    case Fault::wrote_outside:
    case Fault::read_outside:
      return "CT-BOUNDS";
    case Fault::changed_input:
      return "CT-INPUT";
    case Fault::aliased:
      return "CT-ALIAS";
    case Fault::left_unwritten:
      return "CT-WRITE";
    case Fault::unsteady:
      return "CT-STEADY";
    case Fault::misplaced:
      return "CT-PLACE";
    case Fault::raced:
      return "CT-THREADS";
    case Fault::wrote_on_refusal:
      return "CT-REFUSE";
    case Fault::called_oracle:
      return "CT-SELF";
    case Fault::claim:
      return "CT-CLAIM";
    case Fault::none:
    case Fault::shape:
    case Fault::type:
    case Fault::elements:
    case Fault::refused:
    case Fault::accepted:
    case Fault::crash:
    case Fault::timeout:
    case Fault::memory:
    case Fault::failed:
      break;
  }
  return {};
}

}  // namespace certile
