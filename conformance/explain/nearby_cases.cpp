#include "conformance/explain/nearby_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "conformance/explain/condition.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/record.hpp"
#include "conformance/run/plainer.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// Returns the elements of an operand; nothing if one is no whole number of 64 bits.
std::optional<Shape> numbers_of(const Tensor& operand) {
  Shape numbers;
  for (const auto& number : numbers_in(operand)) {
    if (!number || number->beyond) return std::nullopt;
    numbers.push_back(number->value);
  }
  return numbers;
}

// Returns the sum of what numbers differ by; those that one of the two lacks count as 0.
std::int64_t distance_of(const Shape& one, const Shape& other) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::int64_t sum = 0;
  for (std::size_t index = 0; index < std::max(one.size(), other.size()); ++index) {
    const auto number = [&](const Shape& numbers) {
      return index < numbers.size() ? std::clamp(numbers[index], -most, most) : 0;
    };
    sum += std::abs(number(one) - number(other));
  }
  return sum;
}

// Returns the largest whole number that an operand of the type surely has.
std::int64_t largest(ElementType type) {
  if (!is_integer(type)) return type == ElementType::boolean ? 1 : 1024;
  const int width = bits(type) - (is_signed_integer(type) ? 1 : 0);
  return width >= 63 ? INT64_MAX : (std::int64_t{1} << width) - 1;
}

// Returns the case with another shape.  The fill makes its elements, unless the spelled ones suffice.
Case with_shape(const Case& question, Shape shape) {
  Case nearby = question;
  const Tensor& data = question.data;
  nearby.data = !data.bytes().empty() && element_count(shape) == data.count()
                    ? data.reshaped(std::move(shape))
                    : Tensor::without_elements(data.type(), std::move(shape));
  return nearby;
}

Case with_numbers(const Case& question, Shape shape, const Shape& repeats) {
  Case nearby = shape == question.data.shape() ? question : with_shape(question, std::move(shape));
  Shape form = nearby.repeats.shape();
  if (form.size() == 1) form = {std::ssize(repeats)};
  nearby.repeats = tensor_of_numbers(nearby.repeats.type(), std::move(form), repeats);
  return nearby;
}

// A set of cases, without those that are no calls, and sorted at the end.
class CasesNearby {
 public:
  explicit CasesNearby(const Case& question) : question_(question), repeats_(numbers_of(question.repeats)) {}

  const std::optional<Shape>& repeats() const noexcept { return repeats_; }

  void add(Case nearby) {
    std::string literal = to_string(nearby);
    if (literal.size() > longest_literal || nearby == question_) return;
    Plainness plainness = plainness_of(nearby, literal);
    found_.emplace(std::move(plainness), std::move(nearby));
  }
  void add_shape(Shape shape) {
    if (element_count(shape)) add(with_shape(question_, std::move(shape)));
  }
  void add_repeats(const Shape& repeats) { add_both(question_.data.shape(), repeats); }
  void add_both(Shape shape, const Shape& repeats) {
    if (element_count(shape)) add(with_numbers(question_, std::move(shape), repeats));
  }

  // Returns the cases that are kept, the plainest first.
  std::vector<Case> sorted(const auto& keeps) {
    std::vector<Case> cases;
    for (const auto& [plainness, nearby] : found_)
      if (keeps(plainness, nearby)) cases.push_back(nearby);
    return cases;
  }

 private:
  struct Less {
    bool operator()(const auto& one, const auto& other) const { return one.first < other.first; }
  };
  const Case& question_;
  std::optional<Shape> repeats_;
  std::set<std::pair<Plainness, Case>, Less> found_;
};

// Calls `take` with each list of numbers in which one number is replaced by one that `others` returns.
void change_each(const Shape& numbers, const auto& others, const auto& take) {
  for (std::size_t place = 0; place < numbers.size(); ++place)
    for (const std::int64_t other : others(numbers[place])) {
      Shape changed = numbers;
      changed[place] = other;
      take(std::move(changed));
    }
}

std::vector<std::int64_t> smaller_numbers(std::int64_t number) {
  if (number < 0) return {1, 0};
  std::vector<std::int64_t> smaller;
  for (const std::int64_t each :
       {std::int64_t{1}, std::int64_t{2}, number / 2, number - number / 4, number - 1})
    if (each < number && each > 0) smaller.push_back(each);
  return smaller;
}

std::vector<std::int64_t> larger_numbers(std::int64_t number) {
  std::vector<std::int64_t> larger;
  if (number < 0 || number > (std::int64_t{1} << 24)) return larger;
  for (std::int64_t more = 1; more <= 8; ++more)
    larger.push_back(number + more);
  for (std::int64_t power = 1; power <= 64; power *= 2)  // to the next multiple of a width
    larger.push_back((number / power + 1) * power);
  return larger;
}

Shape without(Shape numbers, std::size_t place) {
  numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(place));
  return numbers;
}

// Leaves out an axis with its repeat, then each alone; of tiles along an axis, another axis.
void leave_out_axes(const Case& question, CasesNearby& cases) {
  const Shape& shape = question.data.shape();
  if (question.axis) {
    const auto axis = numbers_of(*question.axis);
    if (!axis || axis->size() != 1 || axis->front() < 0) return;
    for (std::size_t place = 0; place < shape.size(); ++place) {
      const auto at = static_cast<std::int64_t>(place);
      if (at == axis->front()) continue;
      Case nearby = question;
      nearby.data = Tensor::without_elements(nearby.data.type(), without(shape, place));
      nearby.axis = tensor_of_numbers(question.axis->type(), question.axis->shape(),
                                      Shape{axis->front() - (at < axis->front() ? 1 : 0)});
      cases.add(std::move(nearby));
    }
    return;
  }
  const auto& repeats = cases.repeats();
  for (std::size_t place = 0; place < shape.size(); ++place) {
    cases.add_shape(without(shape, place));
    // Repeats belong to the last axes.
    if (repeats && place + repeats->size() >= shape.size())
      cases.add_both(without(shape, place), without(*repeats, place + repeats->size() - shape.size()));
  }
  for (std::size_t place = 0; repeats && place < repeats->size(); ++place)
    cases.add_repeats(without(*repeats, place));
}

// Makes of the data one axis: all of it, or a row, with all copies or those along the last axis.
void make_one_axis(const Case& question, CasesNearby& cases) {
  const Shape& shape = question.data.shape();
  const auto& repeats = cases.repeats();
  if (question.axis || shape.size() < 2 || !repeats || repeats->empty()) return;
  const auto count = element_count(shape), copies = element_count(*repeats);
  if (!count || !copies) return;
  for (const std::int64_t length : {*count, shape.back()})
    for (const std::int64_t times : {*copies, repeats->back()})
      if (times <= largest(question.repeats.type())) cases.add_both({length}, {times});
}

// Returns the data, whose elements are spelled, without one place of an axis.
std::optional<Tensor> without_place(const Tensor& data, std::size_t axis, std::int64_t place) {
  Shape shape = data.shape();
  if (--shape[axis] == 0) return std::nullopt;
  std::vector<std::string> elements;
  for (std::int64_t index = 0; index < data.count(); ++index)
    if (places_of(data.shape(), index)[axis] != place) elements.push_back(element_to_string(data, index));
  return tensor_spelled(data.type(), std::move(shape), elements);
}

// Spells the elements that a fill makes, if they are few, and leaves out spelled ones.
void spell_elements(const Case& question, CasesNearby& cases) {
  constexpr std::int64_t few = 16;
  if (question.data.count() == 0 || question.data.count() > few || question.placement.shape_only) return;
  if (question.fill != Fill{} && question.placement.threads == 1) {
    Case nearby = question;
    nearby.data = data_of(question);
    nearby.fill = {};
    cases.add(std::move(nearby));
  }
  if (question.data.bytes().empty()) return;
  for (std::size_t axis = 0; axis < question.data.shape().size(); ++axis)
    for (std::int64_t place = 0; place < question.data.shape()[axis]; ++place)
      if (auto data = without_place(question.data, axis, place)) {
        Case nearby = question;
        nearby.data = *std::move(data);
        cases.add(std::move(nearby));
      }
}

// Makes the circumstances of the call, and its elements, the usual ones.
void make_usual(const Case& question, CasesNearby& cases) {
  const auto changed = [&](const auto& change) {
    Case nearby = question;
    change(nearby);
    cases.add(std::move(nearby));
  };
  changed([](Case& it) { it.placement = {}; });
  changed([](Case& it) { it.placement.threads = std::min(it.placement.threads, 2); });
  changed([](Case& it) { it.placement.calls = std::min(it.placement.calls, 1'000); });
  const auto filled = [](Case& it) {
    it.data = Tensor::without_elements(it.data.type(), it.data.shape());
    it.fill = {};
  };
  changed(filled);
  for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::i32, ElementType::i64})
    changed([&](Case& it) {
      filled(it);
      // Of onnx-tile-1 the repeats may have the data's type, so they are left to the other steps.
      it.data = Tensor::without_elements(type, it.data.shape());
      it.placement.offset = 0;
      it.placement.output_offset.reset();
    });
  for (const Plainer step : plainer_steps())
    if (auto nearby = step(question)) cases.add(*std::move(nearby));
}

}  // namespace

std::vector<Case> plainer_cases(const Case& question) {
  CasesNearby cases(question);
  make_usual(question, cases);
  make_one_axis(question, cases);
  spell_elements(question, cases);
  leave_out_axes(question, cases);
  change_each(question.data.shape(), smaller_numbers,
              [&](Shape shape) { cases.add_shape(std::move(shape)); });
  if (cases.repeats())
    change_each(*cases.repeats(), smaller_numbers, [&](const Shape& repeats) { cases.add_repeats(repeats); });
  const Plainness limit = plainness_of(question, to_string(question));
  return cases.sorted([&](const Plainness& plainness, const Case&) { return plainness < limit; });
}

std::vector<Case> larger_cases(const Case& question) {
  CasesNearby cases(question);
  if (question.data.shape().empty() && cases.repeats() && !question.axis)
    for (const std::int64_t length : larger_numbers(0))
      cases.add_both({length}, {1});
  change_each(question.data.shape(), larger_numbers, [&](Shape shape) { cases.add_shape(std::move(shape)); });
  if (cases.repeats())
    change_each(*cases.repeats(), larger_numbers, [&](const Shape& repeats) {
      if (std::ranges::max(repeats) <= largest(question.repeats.type())) cases.add_repeats(repeats);
    });
  return cases.sorted([](const Plainness&, const Case& nearby) { return !may_have_a_large_answer(nearby); });
}

std::vector<Case> cases_of_other_forms(const Case& question) {
  std::vector<Case> cases;
  Shape shape = question.data.shape();
  if (shape.empty() || question.repeats.shape().size() != 1 || question.axis) return cases;
  if (const auto repeats = numbers_of(question.repeats))
    for (const std::int64_t size : {1, 2})
      for (const std::int64_t repeat : {1, 2}) {
        Shape more = shape, times = *repeats;
        more.insert(more.begin(), size);
        times.insert(times.begin(), repeat);
        cases.push_back(with_numbers(question, std::move(more), times));
      }
  const std::int64_t row = shape.back() * bits(question.data.type());
  for (const ElementType type : {ElementType::u8, ElementType::f32, ElementType::i64}) {
    shape.back() = row / bits(type);
    if (type == question.data.type() || row % bits(type) != 0 || shape.back() == 0) continue;
    Case nearby = question;
    nearby.data = Tensor::without_elements(type, shape);
    nearby.placement = {};
    cases.push_back(std::move(nearby));
  }
  return cases;
}

std::vector<Case> cases_between(const Case& question, std::size_t property, std::int64_t below,
                                std::int64_t above) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::vector<Case> found;
  const auto repeats = numbers_of(question.repeats);
  const std::size_t axes = question.data.shape().size();
  const std::int64_t middle = below + (above - below) / 2;
  for (std::size_t place = 0; repeats && place < axes + repeats->size(); ++place) {
    const auto changed = [&](std::int64_t number) {
      Shape shape = question.data.shape(), times = *repeats;
      (place < axes ? shape[place] : times[place - axes]) = number;
      return with_numbers(question, std::move(shape), times);
    };
    const auto value_with = [&](std::int64_t number) { return properties_of(changed(number))[property]; };
    std::int64_t low = 1, high = place < axes ? most : std::min(most, largest(question.repeats.type()));
    while (low < high) {  // most properties grow with the number; what is too large to count is large
      const std::int64_t half = low + (high - low) / 2, value = value_with(half);
      if (value != no_number && value < middle)
        low = half + 1;
      else
        high = half;
    }
    for (const std::int64_t number : {low, low - 1}) {
      if (number < 1 || value_with(number) <= below || value_with(number) >= above) continue;
      if (Case nearby = changed(number); !may_have_a_large_answer(nearby)) found.push_back(std::move(nearby));
    }
  }
  return found;
}

Distance distance_between(const Case& one, const Case& other) {
  constexpr int weight_of_type = 10;
  int differences = 0;
  if (one.data.type() != other.data.type()) differences += weight_of_type;
  if (one.data.shape() != other.data.shape()) ++differences;
  if (one.repeats != other.repeats) ++differences;
  if (one.axis != other.axis) ++differences;
  const bool has_other_elements =
      one.fill != other.fill || one.data.bytes().empty() != other.data.bytes().empty();
  if (has_other_elements) ++differences;
  if (one.placement != other.placement) ++differences;
  return {differences, distance_of(one.data.shape(), other.data.shape()) +
                           distance_of(numbers_of(one.repeats).value_or(Shape{}),
                                       numbers_of(other.repeats).value_or(Shape{}))};
}

}  // namespace certile::conformance
