#include "reference/oracle/promote.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "reference/oracle/definition.hpp"
#include "reference/values/element_text.hpp"

namespace certile::oracle {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::string type_of(const Tensor& operand) {
  return std::string(name(operand.type()));
}

// One axis of the output: its dimension before the multiplication, and its repeat.
struct Axis {
  std::int64_t dimension = 1;
  RepeatCount repeat{1};
};

// Brings data and repeats to one length, by leading ones before the shorter of them.
std::vector<Axis> aligned(const Shape& data, const std::vector<RepeatCount>& repeats) {
  std::vector<Axis> axes(std::max(data.size(), repeats.size()));
  for (std::size_t axis = 0; axis < data.size(); ++axis)
    axes[axes.size() - data.size() + axis].dimension = data[axis];
  for (std::size_t axis = 0; axis < repeats.size(); ++axis)
    axes[axes.size() - repeats.size() + axis].repeat = repeats[axis];
  return axes;
}

// Applies the rules about the type and the shape of repeats, and reads the repeats.
std::vector<RepeatCount> repeats_of(const Case& question, const Definition& rules, RuleLog& log) {
  const Tensor& repeats = question.repeats;
  const std::size_t given = repeats.shape().size();
  if (!log.allow_if(rules.repeats.says(repeats.type(), question.data.type()), {Role::repeats_types},
                    "repeats are " + type_of(repeats) + ", which the definition does not have"))
    return {};
  if (!log.allow_if(given == 1 ? Says::allowed : rules.repeats_form, {Role::repeats_form},
                    "repeats have rank " + std::to_string(given) + ", not 1"))
    return {};
  const std::int64_t count = repeats.count();
  const std::size_t rank = question.data.shape().size();
  if (!log.require(rules.length == Length::any || static_cast<std::size_t>(count) == rank, {Role::length},
                   std::to_string(count) + " repeats for " + std::to_string(rank) + " dimensions"))
    return {};
  std::vector<RepeatCount> counts;
  for (std::int64_t index = 0; index < count; ++index)
    counts.push_back(integer_at(repeats.view(), index));
  return counts;
}

// Reads the whole number in tiles or axis, or refuses the case.
std::optional<RepeatCount> number_in(const char* which, const Tensor& value, const Case& question,
                                     const Definition& rules, RuleLog& log) {
  const std::string words = which;
  if (!log.allow_if(rules.repeats.says(value.type(), question.data.type()), {Role::repeats_types},
                    words + " is " + type_of(value) + ", neither i64 nor the data's type") ||
      !log.allow_if(value.count() == 1 ? Says::allowed : rules.repeats_form, {Role::repeats_form},
                    words + " does not have exactly one element"))
    return std::nullopt;
  const auto number = number_at(value.view(), 0);
  log.require(number.has_value(), {Role::whole_number}, words + " is not a whole number");
  return number;
}

// Converts tiles and axis to a repeat for each axis.
std::vector<RepeatCount> repeats_along_axis(const Case& question, const Definition& rules, RuleLog& log) {
  const auto tiles = number_in("tiles", question.repeats, question, rules, log);
  if (!tiles) return {};
  const auto axis = number_in("axis", *question.axis, question, rules, log);
  if (!axis) return {};
  const auto rank = static_cast<std::int64_t>(question.data.shape().size());
  const bool is_in_range = !axis->beyond && axis->value < rank && axis->value >= -rank;
  if (!log.require(is_in_range, {Role::axis_range}, "the data has no such axis")) return {};
  std::vector<RepeatCount> repeats(question.data.shape().size(), RepeatCount{1});
  repeats[static_cast<std::size_t>(axis->value < 0 ? axis->value + rank : axis->value)] = *tiles;
  return repeats;
}

// Applies the rules about negative repeats.
void settle_negatives(std::vector<Axis>& axes, const Definition& rules, RuleLog& log) {
  for (Axis& axis : axes) {
    if (axis.repeat.value >= 0) continue;
    const Says says = axis.dimension == 0 ? rules.negative_on_empty.value_or(rules.negative) : rules.negative;
    if (!log.allow_if(says, {Role::negative}, "repeat " + std::to_string(axis.repeat.value) + " is negative"))
      return;
    axis.repeat.value = 0;
  }
}

// Multiplies every dimension of the data by its repeat.  Refuses a dimension beyond 2^63 - 1, even if another
// one is 0, and a number of elements beyond 2^63 - 1, which a dimension of 0 makes 0.
Promoted multiply(const std::vector<Axis>& axes, RuleLog& log) {
  Promoted promoted;
  for (const auto& [dimension, repeat] : axes) {
    const bool fits = dimension == 0 || (!repeat.beyond && repeat.value <= largest / dimension);
    if (!log.require(fits, {Role::overflow},
                     "output dimension " + std::to_string(promoted.data.size()) + " exceeds 2^63 - 1"))
      return promoted;
    promoted.data.push_back(dimension);
    promoted.repeats.push_back(repeat.beyond ? largest : repeat.value);
    promoted.output.push_back(dimension == 0 ? 0 : dimension * repeat.value);
  }
  log.require(element_count(promoted.output).has_value(), {Role::count_overflow},
              "the output has more than 2^63 - 1 elements");
  return promoted;
}

Ruling ruled(const Case& question, const Definition& rules, RuleLog log) {
  if (!log.allow_if(rules.data.says(question.data.type(), question.data.type()), {Role::element_types},
                    "the data are " + type_of(question.data) + ", which the definition does not have"))
    return std::move(log).ruling({});
  const auto repeats =
      question.axis ? repeats_along_axis(question, rules, log) : repeats_of(question, rules, log);
  if (log.refused()) return std::move(log).ruling({});
  std::vector<Axis> axes = aligned(question.data.shape(), repeats);
  settle_negatives(axes, rules, log);
  if (log.refused()) return std::move(log).ruling({});
  Promoted promoted = multiply(axes, log);
  return std::move(log).ruling(std::move(promoted));
}

// Returns true if a string of the data is not UTF-8.
bool has_other_strings(const Tensor& data) {
  const std::int64_t count = data.type() == ElementType::string && !data.bytes().empty() ? data.count() : 0;
  for (std::int64_t index = 0; index < count; ++index)
    if (!is_utf8(data.string_element(index))) return true;
  return false;
}

Result<Shape> shape_of(const Ruling& ruling) {
  if (const auto* refusal = std::get_if<Refusal>(&ruling))
    return Error{Error::Code::rejected, refusal->why, std::string(text_of(refusal->clause))};
  return promoted(ruling)->output;
}

}  // namespace

Ruling promote(const Case& question) {
  RuleLog log(question.definition);
  const Definition& rules = rules_of(question.definition);
  const bool is_open = rules.strings_are_utf8 && has_other_strings(question.data);
  log.allow_if(is_open ? Says::unspecified : Says::allowed, {Role::strings}, {});
  return ruled(question, rules, log);
}

std::optional<Shape> broadcast_shape(const Case& question) {
  Definition rules = rules_of(question.definition);
  rules.length = Length::any;
  const Ruling ruling = ruled(question, rules, RuleLog(question.definition));
  const Promoted* made = promoted(ruling);
  return made == nullptr ? std::nullopt : std::optional(made->output);
}

const Promoted* promoted(const Ruling& ruling) noexcept {
  if (const auto* open = std::get_if<Open>(&ruling)) return &open->promoted;
  return std::get_if<Promoted>(&ruling);
}

Result<Promoted> settled_tiling(const Case& question) {
  Ruling ruling = promote(question);
  if (auto* tiling = std::get_if<Promoted>(&ruling)) return std::move(*tiling);
  if (const auto* open = std::get_if<Open>(&ruling))
    return Error{Error::Code::rejected, "the definition leaves this call open",
                 std::string(text_of(open->clause))};
  return shape_of(ruling).error();
}

Result<Shape> output_shape(const Case& question) {
  return shape_of(promote(question));
}

}  // namespace certile::oracle
