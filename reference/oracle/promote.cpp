#include "reference/oracle/promote.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "reference/values/scalar_value.hpp"

namespace certile {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Error reject(std::string_view clause, std::string why) {
  return Error{Error::Code::rejected, std::move(why), std::string(clause)};
}

// The clauses that refuse sizes beyond 2^63 - 1.
struct OverflowClauses {
  std::string_view dimension, count;
};

// Multiplies every dimension of the data by its repeat.  A dimension beyond 2^63 - 1 is refused even where
// another is 0; so is a number of elements beyond it, in which a 0 makes the product 0.
Result<Promoted> multiply(Shape data, const std::vector<RepeatCount>& repeats, OverflowClauses overflow) {
  Promoted promoted{std::move(data), {}, {}};
  for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
    const std::int64_t dimension = promoted.data[axis];
    const RepeatCount repeat = repeats[axis];
    const bool fits = dimension == 0 || (!repeat.beyond && repeat.value <= largest / dimension);
    if (!fits)
      return reject(overflow.dimension, "output dimension " + std::to_string(axis) + " exceeds 2^63 - 1");
    promoted.repeats.push_back(repeat.beyond ? largest : repeat.value);
    promoted.output.push_back(dimension == 0 ? 0 : dimension * repeat.value);
  }
  if (!element_count(promoted.output))
    return reject(overflow.count, "the output has more than 2^63 - 1 elements");
  return promoted;
}

std::vector<RepeatCount> read_repeats(const TensorView& repeats) {
  std::vector<RepeatCount> counts;
  const std::int64_t length = repeats.shape[0];
  for (std::int64_t index = 0; index < length; ++index)
    counts.push_back(integer_at(repeats, index));
  return counts;
}

Result<Promoted> promote_openvino(const Call& call) {
  // [OV-T1-T2] repeats are integers, of any integer type; boolean is left open, and read as 0 or 1.
  // [OV-T1-X11] others are refused
  if (!is_integer(call.repeats.type) && call.repeats.type != ElementType::boolean)
    return reject("OV-T1-T2", "repeats are " + std::string(name(call.repeats.type)) + ", not integers");
  // ours [OV-T1-X3]: repeats is a vector
  if (call.repeats.shape.size() != 1)
    return reject("OV-T1-X3", "repeats have rank " + std::to_string(call.repeats.shape.size()) + ", not 1");

  // [OV-T1-I1] data of any shape, ours [OV-T1-X13]: empty ones too
  Shape data(call.data.shape.begin(), call.data.shape.end());
  // [OV-T1-I2] a factor for each dimension, [OV-T1-I2e] which is the number of copies
  std::vector<RepeatCount> repeats = read_repeats(call.repeats);  // ours [OV-T1-X6]: there may be none
  // ours [OV-T1-X5]: a negative repeat counts as 0
  for (RepeatCount& repeat : repeats)
    repeat.value = std::max<std::int64_t>(repeat.value, 0);

  // [OV-T1-O1] the output's rank is the larger of the two counts
  const std::size_t rank = std::max(data.size(), repeats.size());
  // [OV-T1-R1] [OV-T1-R1e] fewer dimensions than repeats: the data gets new axes of size 1 in front, ours
  // [OV-T1-X7]: also where it has none
  data.insert(data.begin(), rank - data.size(), 1);
  // [OV-T1-R2] [OV-T1-R2e] fewer repeats than dimensions: the repeats get ones in front
  repeats.insert(repeats.begin(), rank - repeats.size(), RepeatCount{1});

  // [OV-T1-G2] dimension times repeat, ours [OV-T1-X4]: and 0 makes 0; ours [OV-T1-X9] [OV-T1-X12]: overflow
  // is refused
  return multiply(std::move(data), repeats, {"OV-T1-X9", "OV-T1-X12"});
}

// The clauses of Tile-13 and Tile-6, which differ in the list of types alone.
struct OnnxClauses {
  std::string_view data_type, repeats_type, repeats_rank, length, negative;
  OverflowClauses overflow;
};
constexpr OnnxClauses tile_13{"ONNX-T13-T1", "ONNX-T13-T2", "ONNX-T13-I2",
                              "ONNX-T13-I3", "ONNX-T13-X3", {"ONNX-T13-X4", "ONNX-T13-X6"}};
constexpr OnnxClauses tile_6{"ONNX-T6-T1", "ONNX-T6-T2", "ONNX-T6-I2",
                             "ONNX-T6-I3", "ONNX-T6-X3", {"ONNX-T6-X4", "ONNX-T6-X6"}};

// [ONNX-T6-T1] the fifteen types of Tile-6; [ONNX-T13-T1] bfloat16 besides
bool onnx_allows(Operator op, ElementType type) {
  using enum ElementType;
  switch (type) {
    case boolean:
    case c128:
    case c64:
    case f64:
    case f32:
    case f16:
    case i16:
    case i32:
    case i64:
    case i8:
    case string:
    case u16:
    case u32:
    case u64:
    case u8:
      return true;
    case bf16:
      return op == Operator::onnx_tile_13;
    default:
      return false;
  }
}

Result<Promoted> promote_onnx(const Call& call) {
  const OnnxClauses& clauses = call.op == Operator::onnx_tile_13 ? tile_13 : tile_6;
  // [ONNX-T13-X7] [ONNX-T6-X7] what the text excludes is refused, by the rule that excludes it
  if (!onnx_allows(call.op, call.data.type))
    return reject(clauses.data_type, "the operator has no " + std::string(name(call.data.type)));
  // [ONNX-T13-T2] [ONNX-T6-T2] repeats are i64
  if (call.repeats.type != ElementType::i64)
    return reject(clauses.repeats_type, "repeats are " + std::string(name(call.repeats.type)) + ", not i64");
  // [ONNX-T13-I2] [ONNX-T6-I2] a vector
  if (call.repeats.shape.size() != 1)
    return reject(clauses.repeats_rank,
                  "repeats have rank " + std::to_string(call.repeats.shape.size()) + ", not 1");
  // [ONNX-T13-I3] [ONNX-T6-I3] [ONNX-T13-S3] [ONNX-T6-S3] of as many values as the data has dimensions:
  // nothing is promoted
  if (static_cast<std::size_t>(call.repeats.shape[0]) != call.data.shape.size())
    return reject(clauses.length, std::to_string(call.repeats.shape[0]) + " repeats for " +
                                      std::to_string(call.data.shape.size()) + " dimensions");
  const std::vector<RepeatCount> repeats = read_repeats(call.repeats);
  // ours [ONNX-T13-X3] [ONNX-T6-X3]: a negative repeat is refused
  for (const RepeatCount& repeat : repeats)
    if (repeat.value < 0)
      return reject(clauses.negative, "repeat " + std::to_string(repeat.value) + " is negative");
  // [ONNX-T13-I1] [ONNX-T6-I1] any shape, [ONNX-T13-X1] [ONNX-T6-X1] also rank 0, with no repeats
  // [ONNX-T13-I4] [ONNX-T13-O1] [ONNX-T13-O2] [ONNX-T6-I4] [ONNX-T6-O1] [ONNX-T6-O2] as many dimensions, each
  // times its repeat; ours [ONNX-T13-X2] [ONNX-T6-X2]: a repeat may be 0; ours [ONNX-T13-X4] [ONNX-T13-X6]
  // [ONNX-T6-X4] [ONNX-T6-X6]: overflow is refused
  return multiply({call.data.shape.begin(), call.data.shape.end()}, repeats, clauses.overflow);
}

// The single whole number that tiles or axis hold.
Result<RepeatCount> read_onnx_1(const char* which, const TensorView& value, ElementType data_type) {
  // ours [ONNX-T1-X2] [ONNX-T1-T2]: of the data's type, as the inputs' list has it, or i64, as the
  // constraints' list has it
  if (value.type != data_type && value.type != ElementType::i64)
    return reject("ONNX-T1-X2", std::string(which) + " is " + std::string(name(value.type)) +
                                    ", neither i64 nor the data's type");
  // ours [ONNX-T1-X2]: one element, whatever its shape
  if (element_count(value.shape) != 1)
    return reject("ONNX-T1-X2", std::string(which) + " does not have exactly one element");
  if (value.type == ElementType::i64) return integer_at(value, 0);
  // ours [ONNX-T1-X4]: a fraction, a NaN or an infinity is refused
  const double number = real_at(value, 0);
  if (!std::isfinite(number) || number != std::trunc(number))
    return reject("ONNX-T1-X4", std::string(which) + " is not a whole number");
  return whole_number(number);
}

Result<Promoted> promote_onnx_1(const Call& call) {
  using enum ElementType;
  // [ONNX-T1-T1] three types, [ONNX-T1-X8] and no other
  if (call.data.type != f16 && call.data.type != f32 && call.data.type != f64)
    return reject("ONNX-T1-T1", "the operator has no " + std::string(name(call.data.type)));
  // [ONNX-T1-I2] how many copies
  const auto tiles = read_onnx_1("tiles", call.repeats, call.data.type);
  if (!tiles) return tiles.error();
  const auto axis = read_onnx_1("axis", *call.axis, call.data.type);
  if (!axis) return axis.error();
  // [ONNX-T1-I1] data of any shape, [ONNX-T1-I3] and an axis that it has, ours [ONNX-T1-X3]: a negative one
  // counts from the back, ours [ONNX-T1-X5]: others are refused
  const auto rank = static_cast<std::int64_t>(call.data.shape.size());
  if (axis->beyond || axis->value >= rank || axis->value < -rank)
    return reject("ONNX-T1-X5", "the data has no such axis");
  // ours [ONNX-T1-X4]: never less than none
  if (tiles->value < 0) return reject("ONNX-T1-X4", "tiles is negative");
  const std::int64_t along = axis->value < 0 ? axis->value + rank : axis->value;

  // ours [ONNX-T1-X1]: that dimension times tiles, the others as they were; ours [ONNX-T1-X6] [ONNX-T1-X7]:
  // overflow is refused
  std::vector<RepeatCount> repeats(call.data.shape.size(), RepeatCount{1});
  repeats[static_cast<std::size_t>(along)] = *tiles;
  return multiply({call.data.shape.begin(), call.data.shape.end()}, repeats, {"ONNX-T1-X6", "ONNX-T1-X7"});
}

}  // namespace

Result<Promoted> promote(const Call& call) {
  switch (call.op) {
    case Operator::openvino_tile_1:
      return promote_openvino(call);
    case Operator::onnx_tile_1:
      return promote_onnx_1(call);
    case Operator::onnx_tile_6:
    case Operator::onnx_tile_13:
      break;
  }
  return promote_onnx(call);
}

Result<Shape> output_shape(const Call& call) {
  auto promoted = promote(call);
  if (!promoted) return promoted.error();
  return std::move(promoted->output);
}

std::optional<std::string_view> left_open(const Call& call) noexcept {
  if (call.op != Operator::openvino_tile_1) return std::nullopt;
  // [OV-T1-T1] "arbitrary supported type" is an open set: whether complex numbers belong to it is nowhere
  // said
  if (call.data.type == ElementType::c64 || call.data.type == ElementType::c128) return "OV-T1-T1";
  // [OV-T1-T2] whether boolean is an "integer type" is nowhere said
  if (call.repeats.type == ElementType::boolean) return "OV-T1-T2";
  return std::nullopt;
}

}  // namespace certile
