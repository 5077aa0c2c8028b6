#include "conformance/judge/clauses.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <vector>

#include "conformance/judge/case_traits.hpp"
#include "reference/oracle/promote.hpp"

namespace certile {
namespace {

// Tile-13 and Tile-6 have the same clauses under ids of their own.
struct OnnxIds {
  std::string_view tiling, numpy, no_broadcast, input, factors, rank_and_type, dimension, data_types, scalar,
      zero, dimension_overflow, count_overflow, excluded;
};
constexpr OnnxIds tile_13{"ONNX-T13-S1", "ONNX-T13-S2", "ONNX-T13-S3", "ONNX-T13-I1", "ONNX-T13-I4",
                          "ONNX-T13-O1", "ONNX-T13-O2", "ONNX-T13-T1", "ONNX-T13-X1", "ONNX-T13-X2",
                          "ONNX-T13-X4", "ONNX-T13-X6", "ONNX-T13-X7"};
constexpr OnnxIds tile_6{"ONNX-T6-S1", "ONNX-T6-S2", "ONNX-T6-S3", "ONNX-T6-I1", "ONNX-T6-I4",
                         "ONNX-T6-O1", "ONNX-T6-O2", "ONNX-T6-T1", "ONNX-T6-X1", "ONNX-T6-X2",
                         "ONNX-T6-X4", "ONNX-T6-X6", "ONNX-T6-X7"};

const OnnxIds& onnx_ids(Operator op) {
  return op == Operator::onnx_tile_6 ? tile_6 : tile_13;
}

std::string_view openvino_due(const CaseTraits& traits) {
  if (traits.negative) return "OV-T1-X5";
  if (traits.zero) return "OV-T1-X4";
  if (traits.rank == 0) return "OV-T1-X7";
  if (traits.repeats_count == 0) return "OV-T1-X6";
  if (traits.large_dimension) return "OV-T1-X9";
  if (traits.near_overflow) return "OV-T1-X12";
  if (traits.empty_data) return "OV-T1-X13";
  if (traits.repeats_count > traits.rank) return "OV-T1-R1";
  if (traits.repeats_count < traits.rank) return "OV-T1-R2";
  if (traits.question->repeats.type != ElementType::i64) return "OV-T1-T2";
  if (traits.question->data.type != ElementType::f32) return "OV-T1-T1";
  constexpr std::size_t plain_rank = 4;
  return traits.rank > plain_rank ? "OV-T1-I1" : "OV-T1-G2";
}

std::string_view onnx_due(const CaseTraits& traits, const OnnxIds& ids) {
  if (traits.zero) return ids.zero;
  if (traits.rank == 0) return ids.scalar;
  if (traits.large_dimension) return ids.dimension_overflow;
  if (traits.near_overflow) return ids.count_overflow;
  if (traits.empty_data) return ids.input;
  if (traits.question->data.type != ElementType::f32) return ids.data_types;
  return ids.tiling;
}

std::string_view onnx_1_due(const CaseTraits& traits) {
  const Case& question = *traits.question;
  if (traits.negative_axis) return "ONNX-T1-X3";
  if (traits.zero) return "ONNX-T1-X4";
  if (traits.large_dimension) return "ONNX-T1-X6";
  if (traits.near_overflow) return "ONNX-T1-X7";
  if (!question.repeats.shape.empty() || !question.axis->shape.empty()) return "ONNX-T1-X2";
  if (question.repeats.type != question.data.type || question.axis->type != question.data.type)
    return "ONNX-T1-T2";
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

std::optional<std::int64_t> number(std::string_view spelling) {
  std::int64_t value = 0;
  const auto read = std::from_chars(spelling.data(), spelling.data() + spelling.size(), value);
  if (read.ec != std::errc{} || read.ptr != spelling.data() + spelling.size()) return std::nullopt;
  return value;
}

// True where a repeat of a narrow type was read with the other signedness, 255 for i8{-1}, -1 for u8{255},
// and not as its absolute value, which is the same number for i8{-128}.
bool has_wrong_sign(const Case& question, std::string_view repeat, std::int64_t dimension,
                    std::int64_t seen) {
  const int width = bits(question.repeats.type);
  const auto value = number(repeat);
  if (!value || width >= 63 || dimension <= 0) return false;
  const std::int64_t range = std::int64_t{1} << width;
  if (*value < 0) return *value != -range / 2 && seen % dimension == 0 && seen / dimension == *value + range;
  const bool looks_negative = is_unsigned_integer(question.repeats.type) && *value >= range / 2;
  return looks_negative && (seen == 0 || (seen % dimension == 0 && seen / dimension == *value - range));
}

// True where nothing but a repeat of 0 was taken for 1.
bool is_of_zeros_as_ones(const Case& question, const Shape& right, const Shape& seen) {
  for (std::size_t axis = 0; axis < right.size(); ++axis) {
    const bool is_zero = spells_zero((*question.repeats.elements)[axis]);
    if (seen[axis] != (is_zero ? question.data.shape[axis] : right[axis])) return false;
  }
  return true;
}

// True where the shape is what the repeats give in the opposite order, and nothing simpler; only where there
// is one for each axis.
bool is_of_reversed_repeats(const Case& question, const Shape& right, const Shape& seen) {
  const Shape& data = question.data.shape;
  if (!question.repeats.elements || question.repeats.elements->size() != data.size()) return false;
  if (is_of_zeros_as_ones(question, right, seen)) return false;
  if (seen == data) return false;  // as if nothing had been repeated
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    const auto repeat = number((*question.repeats.elements)[data.size() - 1 - axis]);
    if (!repeat || seen[axis] % std::max<std::int64_t>(data[axis], 1) != 0) return false;
    const std::int64_t copies = std::max<std::int64_t>(*repeat, 0);
    if (data[axis] == 0 ? seen[axis] != 0 : seen[axis] / data[axis] != copies) return false;
  }
  return true;
}

std::string_view openvino_shape(const Case& question, const Shape& right, const Shape& seen) {
  const std::size_t rank = question.data.shape.size();
  const std::size_t count = question.repeats.elements ? question.repeats.elements->size() : 0;
  std::string_view promotion = "OV-T1-G2";
  if (count > rank) promotion = "OV-T1-R1";
  if (count < rank) promotion = count == 0 ? "OV-T1-X6" : "OV-T1-R2";
  if (right.size() != seen.size()) {
    if (rank == 0 && count == 0) return "OV-T1-X7";
    return count == rank ? "OV-T1-O1" : promotion;
  }
  const std::size_t axis = first_wrong(right, seen);
  if (axis == right.size()) return "OV-T1-O1";
  const std::string_view repeat = repeat_at(question, right.size(), axis);
  // What a negative repeat makes of a shape may look like many things; the text says nothing of it.
  if (is_of_reversed_repeats(question, right, seen) && !traits_of(question).negative) return "OV-T1-I2";
  if (spells_zero(repeat)) return "OV-T1-X4";
  const std::size_t new_axes = right.size() - rank;
  const std::int64_t dimension = axis < new_axes ? 1 : question.data.shape[axis - new_axes];
  if (has_wrong_sign(question, repeat, dimension, seen[axis])) return "OV-T1-T2";
  return spells_negative(repeat) ? "OV-T1-X5" : promotion;
}

std::string_view onnx_shape(const Case& question, const Shape& right, const Shape& seen) {
  const OnnxIds& ids = onnx_ids(question.op);
  if (right.size() != seen.size()) return right.empty() ? ids.scalar : ids.rank_and_type;
  const std::size_t axis = first_wrong(right, seen);
  if (axis == right.size()) return ids.rank_and_type;
  return is_of_reversed_repeats(question, right, seen) ? ids.factors : ids.dimension;
}

std::string_view excluded_clause(Operator op) {
  if (op == Operator::openvino_tile_1) return "OV-T1-X11";
  return op == Operator::onnx_tile_1 ? std::string_view("ONNX-T1-X8") : onnx_ids(op).excluded;
}

// The axis that onnx-tile-1 is to tile; nothing where that is no number that the data has.
std::optional<std::size_t> axis_of(const Case& question) {
  const auto axis = question.axis->elements ? number(question.axis->elements->front()) : std::nullopt;
  const auto rank = static_cast<std::int64_t>(question.data.shape.size());
  if (!axis || *axis >= rank || *axis < -rank) return std::nullopt;
  return static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis);
}

// The axes in which `seen` differs from the data.
std::vector<std::size_t> changed_axes(const Shape& data, const Shape& seen) {
  std::vector<std::size_t> changed;
  for (std::size_t axis = 0; axis < data.size(); ++axis)
    if (seen[axis] != data[axis]) changed.push_back(axis);
  return changed;
}

std::string_view onnx_1_shape(const Case& question, const Shape& right, const Shape& seen) {
  if (right.size() != seen.size() || right == seen) return "ONNX-T1-O1";
  const CaseTraits traits = traits_of(question);
  const Shape& data = question.data.shape;
  const std::vector<std::size_t> changed = changed_axes(data, seen);
  const auto along = axis_of(question);
  if (traits.negative_axis) return "ONNX-T1-X3";
  if (changed.size() == 1 && along && changed.front() != *along) return "ONNX-T1-I3";
  if (traits.zero) return "ONNX-T1-X4";
  const bool is_multiple =
      along && changed.size() <= 1 && data[*along] > 0 && seen[*along] % data[*along] == 0;
  return is_multiple ? "ONNX-T1-I2" : "ONNX-T1-X1";
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

std::string_view accepted_clause(const Case& question, std::string_view refusing,
                                 const std::optional<Shape>& given) {
  const bool is_length = refusing == "ONNX-T13-I3" || refusing == "ONNX-T6-I3";
  if (is_length && given) {
    Case promoted = question;
    promoted.op = Operator::openvino_tile_1;
    const auto shape = output_shape(make_shape_call(promoted).call());
    if (shape && *shape == *given) return onnx_ids(question.op).no_broadcast;
  }
  const Requirement* rule = find_requirement(refusing);
  const bool is_of_the_text = rule == nullptr || rule->kind == Requirement::Kind::normative;
  return is_of_the_text ? excluded_clause(question.op) : refusing;
}

std::string_view value_clause(Operator op) noexcept {
  if (op == Operator::openvino_tile_1) return "OV-T1-G2";
  return op == Operator::onnx_tile_1 ? std::string_view("ONNX-T1-S1") : onnx_ids(op).numpy;
}

std::string_view layout_clause(Operator op) noexcept {
  return op == Operator::openvino_tile_1 ? std::string_view("OV-T1-X14") : std::string_view();
}

std::string_view no_broadcast_clause(Operator op) noexcept {
  return op == Operator::onnx_tile_13 || op == Operator::onnx_tile_6 ? onnx_ids(op).no_broadcast
                                                                     : std::string_view();
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
    case Fault::changed_state:
      return "CT-STATE";
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
