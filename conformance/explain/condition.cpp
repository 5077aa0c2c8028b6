#include "conformance/explain/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// A case with what its properties are computed from.
struct Call {
  const Case& question;
  const Placement& placement;
  const Shape& data;
  ElementType type;
  Shape given;                    // the repeats, as the call has them
  Shape repeats, padded, output;  // with leading ones; empty for a call that is refused
  bool is_tiled;                  // false for a call that is refused
};

using Number = std::optional<std::int64_t>;

Number product(Number one, Number other) {
  std::int64_t all = 0;
  if (!one || !other || __builtin_mul_overflow(*one, *other, &all)) return std::nullopt;
  return all;
}

Number product(const Shape& numbers) {
  Number all = 1;
  for (const std::int64_t number : numbers)
    all = product(all, number);
  return all;
}

// Returns nothing for elements that end within a byte.
Number bytes_of(const Call& call, Number elements) {
  const Number size = product(elements, bits(call.type));
  return size && *size % 8 == 0 ? Number(*size / 8) : std::nullopt;
}

Number row_bytes(const Call& call) {
  return bytes_of(call, call.data.empty() ? 1 : call.data.back());
}

Number when(bool is_known, Number number) {
  return is_known ? number : std::nullopt;
}

Number largest_of(const Shape& numbers) {
  return when(!numbers.empty(), numbers.empty() ? 0 : std::ranges::max(numbers));
}

// Returns true if a repeated axis of the data has a size for which `holds`.
bool has_repeated(const Call& call, bool (*holds)(std::int64_t)) {
  for (std::size_t axis = 0; axis < call.repeats.size(); ++axis)
    if (call.repeats[axis] != 1 && holds(call.padded[axis])) return true;
  return false;
}

// Returns the size of the part of the data that one copy along the innermost repeated axis repeats.
Number block_bytes(const Call& call) {
  Number inner = 1;
  for (std::size_t axis = call.repeats.size(); axis-- > 0;) {
    inner = product(inner, call.padded[axis]);
    if (call.repeats[axis] != 1) return bytes_of(call, inner);
  }
  return std::nullopt;
}

Number longest_string(const Call& call) {
  constexpr std::int64_t most = 1'000;  // that are made to find the longest
  if (call.type != ElementType::string || product(call.data).value_or(most) >= most) return std::nullopt;
  const Tensor data = data_of(call.question);
  std::int64_t longest = 0;
  for (std::int64_t index = 0; index < data.count() && !data.bytes().empty(); ++index)
    longest = std::max(longest, std::ssize(data.string_element(index)));
  return longest;
}

Number row_rest(const Call& call, std::int64_t divisor) {
  const Number size = row_bytes(call);
  return when(size && *size % divisor != 0, size.value_or(0) % divisor);
}

Number is_row_multiple(const Call& call, std::int64_t divisor) {
  const Number size = row_bytes(call);
  return when(size.has_value(), size.value_or(0) % divisor == 0);
}

Shape without_last(Shape numbers) {
  if (!numbers.empty()) numbers.pop_back();
  return numbers;
}

enum class Sort { a_fact, a_number, a_type, a_definition };

struct Property {
  Sort sort;
  const char *words, *other;
  Number (*of)(const Call&);
};

constexpr std::array<Property, property_count> all_properties{{
#define PROPERTY(sort, words, other, number) \
  {Sort::sort, words, other, [](const Call& it) { return Number(number); }},
#include "conformance/explain/properties.inc"
}};
static_assert(all_properties.back().of != nullptr, "property_count has the rows of properties.inc");

}  // namespace

Properties properties_of(const Case& question) {
  Call call{question, question.placement, question.data.shape(), question.data.type(), {}, {}, {}, {}, false};
  for (const auto& repeat : numbers_in(question.repeats))
    if (repeat && !repeat->beyond) call.given.push_back(repeat->value);
  if (auto tiling = oracle::settled_tiling(question)) {
    call.is_tiled = true;
    call.repeats = std::move(tiling->repeats);
    call.padded = std::move(tiling->data);
    call.output = std::move(tiling->output);
  }
  Properties numbers;
  for (std::size_t index = 0; index < property_count; ++index)
    numbers[index] = all_properties[index].of(call).value_or(no_number);
  return numbers;
}

std::optional<bool> Condition::holds(const Properties& of) const {
  const std::int64_t value = of[property];
  if (value == no_number || (below && value <= *below) || (above && value >= *above)) return false;
  if ((below && value < low) || (above && value > high)) return std::nullopt;
  return true;
}

std::string Condition::words() const {
  const Property& table = all_properties[property];
  const std::string_view unit = table.other;
  const auto amount = [&](std::int64_t value) {
    return unit.empty() ? with_thousands(value) : counted(value, unit);
  };
  const auto sentence = [&](const std::string& value) {
    return fmt::format(fmt::runtime(table.words), value);
  };
  switch (table.sort) {
    case Sort::a_fact:
      return low == 1 ? table.words : table.other;
    case Sort::a_type:
      return sentence(std::string(name(static_cast<ElementType>(low))));
    case Sort::a_definition:
      return sentence(std::string(name(static_cast<DefinitionId>(low))));
    default:
      break;
  }
  if (!above) return sentence(amount(low)) + " or more";
  if (!below) return sentence(amount(high)) + " or less";
  return sentence(low == high ? amount(low) : with_thousands(low) + " to " + amount(high));
}

void Separation::add(const Properties& of, const std::string& literal, bool fails) {
  for (std::size_t index = 0; index < property_count; ++index) {
    const std::int64_t value = of[index];
    if (!fails) {
      if (value != no_number) passed_[index].insert(value);
      continue;
    }
    Failures& failures = failed_[index];
    if (value < failures.low) failures.at_low = literal;
    if (value > failures.high) failures.at_high = literal;
    failures.low = std::min(failures.low, value);
    failures.high = std::max(failures.high, value);
  }
}

std::vector<Condition> Separation::conditions() const {
  std::vector<Condition> found;
  for (std::size_t index = 0; index < property_count; ++index) {
    const auto& [low, high, at_low, at_high] = failed_[index];
    const std::set<std::int64_t>& passed = passed_[index];
    // A failure without the number has the least one.
    if (low > high || low == no_number || (low < high && all_properties[index].sort != Sort::a_number))
      continue;
    const auto next = passed.lower_bound(low);
    if (passed.empty() || (next != passed.end() && *next <= high)) continue;
    Condition condition{index, low, high, {}, {}, at_low, at_high};
    if (next != passed.begin()) condition.below = *std::prev(next);
    if (next != passed.end()) condition.above = *next;
    found.push_back(std::move(condition));
  }
  return found;
}

}  // namespace certile::conformance
