#include "conformance/run/plainer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "reference/oracle/definition.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// The properties of a call that a cache may take for its key, or a part of it.
struct Keys {
  std::string digits;  // of sizes and repeats, without a separator
  Shape shape, output;
  std::vector<std::int64_t> repeats;
  std::optional<std::uint64_t> data_bytes, output_bytes;
  std::int64_t sum = 0;  // of sizes and repeats
  ElementType type{};
  DefinitionId definition{};
};

Keys keys_of(const Case& question) {
  Keys keys;
  keys.type = question.data.type();
  keys.definition = question.definition;
  keys.shape = Shape(question.data.shape());
  for (const auto& repeat : numbers_in(question.repeats))
    keys.repeats.push_back(repeat ? repeat->value : -1);
  const auto add = [&keys](std::int64_t number) {
    keys.digits += std::to_string(number);
    keys.sum =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(keys.sum) + static_cast<std::uint64_t>(number));
  };
  std::ranges::for_each(keys.shape, add);
  std::ranges::for_each(keys.repeats, add);
  const auto bytes_of = [&](const Shape& shape) -> std::optional<std::uint64_t> {
    const auto count = element_count(shape);
    return count ? byte_size(keys.type, *count) : std::nullopt;
  };
  keys.data_bytes = bytes_of(keys.shape);
  if (const auto output = oracle::output_shape(question)) {
    keys.output = Shape(*output);
    keys.output_bytes = bytes_of(keys.output);
  }
  return keys;
}

// Returns what two calls share, as bits; the more telling, the higher.
unsigned shared_by(const Keys& left, const Keys& right) {
  unsigned bits = 0;
  for (const bool is_shared :
       {left.digits == right.digits, left.shape == right.shape && left.repeats == right.repeats,
        left.output_bytes && left.output_bytes == right.output_bytes, left.output == right.output,
        left.data_bytes == right.data_bytes, left.shape == right.shape, left.repeats == right.repeats,
        left.sum == right.sum, left.shape.size() == right.shape.size(), left.type == right.type,
        left.definition == right.definition})
    bits = 2 * bits + (is_shared ? 1 : 0);
  return bits;
}

}  // namespace

std::vector<const PlannedCase*> related_calls(const PlannedCase& call,
                                              std::span<const PlannedCase* const> earlier, std::size_t most) {
  if (most == 0) return {};
  const Keys keys = keys_of(call.question());
  std::map<unsigned, const PlannedCase*, std::greater<>> last_with;
  constexpr unsigned type_rank_and_definition = 7;
  for (const PlannedCase* each : earlier)
    if (const unsigned shared = shared_by(keys, keys_of(each->question())); shared > type_rank_and_definition)
      last_with[shared] = each;
  std::vector<const PlannedCase*> related;
  for (const auto& [shared, each] : last_with)
    if (related.size() < most) related.push_back(each);
  return related;
}

namespace {

// The largest size of a plainer case, so that asking it costs nothing.
constexpr std::int64_t most_elements = 100'000;

// Returns the elements of an operand, if all of them are whole numbers from -`most` to `most`.
std::optional<Shape> numbers_up_to(const Tensor& operand, std::int64_t most) {
  Shape numbers;
  for (const auto& number : numbers_in(operand)) {
    if (!number || number->beyond || number->value > most || number->value < -most) return std::nullopt;
    numbers.push_back(number->value);
  }
  return numbers;
}

// Replaces zeros by dimensions that differ.
std::optional<Case> with_elements(const Case& question) {
  Shape shape = question.data.shape();
  std::int64_t next = 2;
  for (std::int64_t& dimension : shape)
    if (dimension == 0) dimension = next++;
  const auto count = element_count(shape);
  const bool is_small = count && (question.placement.shape_only || *count <= most_elements);
  if (shape == question.data.shape() || !is_small) return std::nullopt;
  Case plainer = question;
  plainer.data = Tensor::without_elements(question.data.type(), std::move(shape));
  return plainer;
}

// Gives tiles and axis the rank 0.
std::optional<Case> of_scalars(const Case& question) {
  if (!question.axis) return std::nullopt;
  Case plainer = question;
  for (Tensor* operand : {&plainer.repeats, &*plainer.axis}) {
    if (operand->count() != 1) return std::nullopt;
    *operand = operand->reshaped({});
  }
  if (plainer == question) return std::nullopt;
  return plainer;
}

// Gives repeats the type i64; tiles and axis the data's type.
std::optional<Case> of_usual_types(const Case& question) {
  Case plainer = question;
  if (!question.axis) {
    const auto numbers = numbers_up_to(question.repeats, INT64_MAX);
    if (!numbers) return std::nullopt;
    plainer.repeats = tensor_of_numbers(ElementType::i64, question.repeats.shape(), *numbers);
  } else if (oracle::rules_of(question.definition).repeats.data_type_too) {
    constexpr std::int64_t exact_in_every_type = 100;
    for (Tensor* operand : {&plainer.repeats, &*plainer.axis}) {
      const auto numbers = numbers_up_to(*operand, exact_in_every_type);
      if (!numbers) return std::nullopt;
      *operand = tensor_of_numbers(question.data.type(), operand->shape(), *numbers);
    }
  }
  if (plainer == question) return std::nullopt;
  return plainer;
}

// Gives data and repeats the same length: ones in front of the shorter.
std::optional<Case> without_promotion(const Case& question) {
  const std::size_t rank = question.data.shape().size();
  const Tensor& given = question.repeats;
  if (oracle::rules_of(question.definition).length != oracle::Length::any || given.shape().size() != 1)
    return std::nullopt;
  const auto count = static_cast<std::size_t>(given.count());
  if (count == rank) return std::nullopt;
  Case plainer = question;
  if (rank < count) {
    Shape shape = question.data.shape();
    shape.insert(shape.begin(), count - rank, 1);
    plainer.data = question.data.reshaped(std::move(shape));
    return plainer;
  }
  const auto length = static_cast<std::int64_t>(rank);
  plainer.repeats = tensor_of_numbers(given.type(), {length}, Shape(rank, 1));
  for (std::int64_t index = 0; index < given.count(); ++index)
    plainer.repeats.set_element(length - given.count() + index, given.element(index));
  return plainer;
}

std::optional<Case> counted_from_the_front(const Case& question) {
  const auto axis = question.axis ? numbers_up_to(*question.axis, INT64_MAX) : std::nullopt;
  const auto rank = static_cast<std::int64_t>(question.data.shape().size());
  if (!axis || axis->size() != 1 || axis->front() >= 0 || axis->front() < -rank) return std::nullopt;
  Case plainer = question;
  plainer.axis =
      tensor_of_numbers(question.axis->type(), question.axis->shape(), Shape{axis->front() + rank});
  return plainer;
}

std::optional<Case> with_repeats(const Case& question, bool (*is_special)(std::int64_t),
                                 std::int64_t instead) {
  if (question.repeats.type() == ElementType::boolean) return std::nullopt;  // there is no 2 in boolean
  Case plainer = question;
  const Tensor other = tensor_of_numbers(question.repeats.type(), {}, Shape{instead});
  for (std::int64_t index = 0; index < question.repeats.count(); ++index) {
    const auto number = number_at(question.repeats.view(), index);
    if (number && !number->beyond && is_special(number->value))
      plainer.repeats.set_element(index, other.element(0));
  }
  if (plainer == question) return std::nullopt;
  return plainer;
}

std::optional<Case> without_negatives(const Case& question) {
  return with_repeats(
      question, [](std::int64_t repeat) { return repeat < 0; }, 0);
}

std::optional<Case> without_zeros(const Case& question) {
  return with_repeats(
      question, [](std::int64_t repeat) { return repeat == 0; }, 2);
}

std::optional<Case> of_f32(const Case& question) {
  const ElementType type = question.data.type();
  if (type == ElementType::f32 || !question.data.bytes().empty()) return std::nullopt;
  const auto count = element_count(question.data.shape());
  if (!question.placement.shape_only && (!count || *count > most_elements)) return std::nullopt;
  Case plainer = question;
  for (Tensor* operand : {&plainer.repeats, plainer.axis ? &*plainer.axis : nullptr}) {
    if (operand == nullptr || operand->type() != type ||
        !oracle::rules_of(question.definition).repeats.data_type_too)
      continue;
    constexpr std::int64_t exact_in_f32 = 1 << 24;
    const auto numbers = numbers_up_to(*operand, exact_in_f32);
    if (!numbers) return std::nullopt;
    *operand = tensor_of_numbers(ElementType::f32, operand->shape(), *numbers);
  }
  plainer.data = Tensor::without_elements(ElementType::f32, question.data.shape());
  plainer.placement.offset = 0;
  plainer.placement.output_offset.reset();
  return plainer;
}

constexpr std::array<Plainer, 8> steps{with_elements,     of_scalars,   of_usual_types,
                                       without_promotion, of_f32,       counted_from_the_front,
                                       without_negatives, without_zeros};

}  // namespace

std::span<const Plainer> plainer_steps() noexcept {
  return steps;
}

}  // namespace certile::conformance
