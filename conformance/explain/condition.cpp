#include "conformance/explain/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {

namespace {

// The places in `quantities`.
enum Index : std::size_t {
  a_repeat,
  last_repeat,
  repeat_before_last,
  repeated_axes,
  row_bytes,
  row_elements,
  data_bytes,
  data_elements,
  data_axes,
  element_bits,
  block_bytes,
  copies,
  data_rows,
  a_dimension,
  output_bytes,
  output_elements,
  output_rows,
  repeats_length,
  longest_string,
};

constexpr std::int64_t most_strings = 10'000;                   // that are made to find the longest
constexpr std::int64_t largest_factor = std::int64_t{1} << 50;  // what is larger is not multiplied further

std::int64_t product(std::int64_t one, std::int64_t other) {
  return one == 0 || other <= largest_factor / one ? one * other : largest_factor;
}

std::int64_t product(const Shape& numbers) {
  std::int64_t all = 1;
  for (const std::int64_t number : numbers)
    all = product(all, number);
  return all;
}

std::int64_t bytes_of(const Case& question, std::int64_t count) {
  return product(count, bits(question.data.type())) / 8;
}

std::int64_t rows_of(Shape shape) {
  if (!shape.empty()) shape.pop_back();
  return product(shape);
}

}  // namespace

const std::array<Quantity, quantity_count> quantities{{
    {"a repeat", "is", "", "a repeat", "", false},
    {"the repeat of the last axis", "is", "", "the repeat of the last axis", "", true},
    {"a repeat of an axis before the last", "is", "", "a repeat of an axis before the last", "", false},
    {"the number of axes that are repeated", "is", "", "the number of axes that are repeated", "", true},
    {"rows", "have", "bytes", "the size of a row", "bytes", true},
    {"rows", "have", "elements", "the number of elements of a row", "", true},
    {"the data", "have", "bytes", "the size of the data", "bytes", true},
    {"the data", "have", "elements", "the number of elements of the data", "", true},
    {"the data", "have", "axes", "the number of axes of the data", "", true},
    {"elements", "have", "bits", "the size of an element", "bits", true},
    {"a block that is copied along an axis", "has", "bytes",
     "the size of a block that is copied along an axis", "bytes", false},
    {"the number of copies", "is", "", "the number of copies", "", true},
    {"the data", "have", "rows", "the number of rows of the data", "", true},
    {"a dimension of the data", "is", "", "a dimension of the data", "", false},
    {"the output", "has", "bytes", "the size of the output", "bytes", true},
    {"the output", "has", "elements", "the number of elements of the output", "", true},
    {"the output", "has", "rows", "the number of rows of the output", "", true},
    {"the repeats", "are", "numbers", "the number of repeats", "", true},
    {"the longest string", "has", "bytes", "the size of the longest string", "bytes", true},
}};

CaseNumbers numbers_of(const Case& question) {
  CaseNumbers numbers;
  const Shape& shape = question.data.shape();
  for (const auto& number : numbers_in(question.repeats))
    if (number && !number->beyond) numbers[a_repeat].push_back(number->value);
  const std::int64_t row = shape.empty() ? 1 : shape.back(), count = product(shape);
  numbers[row_bytes] = {bytes_of(question, row)};
  numbers[row_elements] = {row};
  numbers[data_bytes] = {bytes_of(question, count)};
  numbers[data_elements] = {count};
  numbers[data_axes] = {std::ssize(shape)};
  numbers[element_bits] = {bits(question.data.type())};
  numbers[data_rows] = {rows_of(shape)};
  numbers[a_dimension] = shape;
  numbers[repeats_length] = {question.repeats.count()};
  if (question.data.type() == ElementType::string && count <= most_strings) {
    const Tensor data = data_of(question);
    std::int64_t longest = 0;
    for (std::int64_t index = 0; index < count && !data.bytes().empty(); ++index)
      longest = std::max(longest, std::ssize(data.string_element(index)));
    numbers[longest_string] = {longest};
  }
  const auto tiling = oracle::settled_tiling(question);
  if (!tiling) return numbers;
  numbers[copies] = {product(tiling->repeats)};
  numbers[repeated_axes] = {std::ranges::count_if(tiling->repeats, [](std::int64_t it) { return it > 1; })};
  if (!tiling->repeats.empty()) {
    numbers[last_repeat] = {tiling->repeats.back()};
    numbers[repeat_before_last] = {tiling->repeats.begin(), tiling->repeats.end() - 1};
  }
  const std::int64_t elements = product(tiling->output);
  numbers[output_bytes] = {bytes_of(question, elements)};
  numbers[output_elements] = {elements};
  numbers[output_rows] = {rows_of(tiling->output)};
  std::int64_t inner = 1;
  for (std::size_t axis = tiling->output.size(); axis-- > 0; inner = product(inner, tiling->output[axis]))
    if (tiling->repeats[axis] > 1)
      numbers[block_bytes].push_back(bytes_of(question, product(inner, tiling->data[axis])));
  return numbers;
}

namespace {

// The change that arithmetic made to a number.
enum class Change { nothing, zero_without_sign, quiet_nan, other_nan, flushed };

std::string_view words_for(Change change) {
  switch (change) {
    case Change::zero_without_sign:
      return "−0 became +0";
    case Change::quiet_nan:
      return "signalling NaNs became quiet";
    case Change::other_nan:
      return "NaNs became other NaNs";
    case Change::flushed:
      return "subnormal numbers became zero";
    default:
      return "";
  }
}

// The bits of a floating-point format of 16 bits or more.
class Bits {
 public:
  explicit Bits(const FloatFormat& format)
      : width_(format.width),
        mantissa_((std::uint64_t{1} << format.mantissa_bits) - 1),
        quiet_(std::uint64_t{1} << (format.mantissa_bits - 1)),
        sign_(std::uint64_t{1} << (format.width - 1)),
        exponent_((sign_ - 1) & ~mantissa_) {}

  int width() const { return width_; }
  // Returns nothing if arithmetic explains no such change.
  std::optional<Change> change(std::uint64_t from, std::uint64_t to) const {
    if (from == to) return Change::nothing;
    if (is_nan(from) && is_nan(to)) {
      const bool was_signalling = (from & quiet_) == 0;
      return was_signalling && to == (from | quiet_) ? Change::quiet_nan : Change::other_nan;
    }
    const bool becomes_zero = (to & ~sign_) == 0;
    if (from == sign_ && to == 0) return Change::zero_without_sign;
    if ((from & exponent_) == 0 && (from & mantissa_) != 0 && becomes_zero) return Change::flushed;
    return std::nullopt;
  }

 private:
  bool is_nan(std::uint64_t pattern) const {
    return (pattern & exponent_) == exponent_ && (pattern & mantissa_) != 0;
  }

  int width_;
  std::uint64_t mantissa_, quiet_, sign_, exponent_;
};

// Returns what happened to all wrong elements, which consist of numbers of this format; empty if anything
// else happened to one.
std::set<Change> changes_of(const WrongElements& found, const Bits& format, bool is_own) {
  std::set<Change> changes;
  const std::uint64_t mask =
      format.width() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.width()) - 1;
  for (const std::int64_t index : found.wrong) {
    if (found.is_unwritten(index)) return {};
    const Tensor::Bits right = found.expected.element(index), wrong = found.seen.element(index);
    for (int bit = 0; bit < bits(found.expected.type()); bit += format.width()) {
      const auto part = [&](const Tensor::Bits& it) {
        return (bit < 64 ? it.low >> bit : it.high >> (bit - 64)) & mask;
      };
      const auto change = format.change(part(right), part(wrong));
      if (!change) return {};
      // Small whole numbers, read as another type, are subnormal numbers; their zeros say nothing.
      if (*change == Change::flushed && !is_own) return {};
      if (*change != Change::nothing) changes.insert(*change);
    }
  }
  return changes;
}

// Returns the formats in which the elements may have been read: their own, or those of their width.
std::vector<ElementType> formats_for(ElementType type) {
  switch (bits(type)) {
    case 16:
      return type == ElementType::bf16 ? std::vector{type} : std::vector{ElementType::f16, ElementType::bf16};
    case 32:
      return {ElementType::f32};
    case 64:
      return type == ElementType::c64 ? std::vector{ElementType::f32}
                                      : std::vector{ElementType::f64, ElementType::f32};
    case 128:
      return {ElementType::f64};
    default:
      return {};
  }
}

}  // namespace

std::string changed_by_arithmetic(const WrongElements& found) {
  const ElementType type = found.expected.type();
  if (type == ElementType::string) return {};
  for (const ElementType format : formats_for(type)) {
    const bool is_own = type == format || type == ElementType::c64 || type == ElementType::c128;
    const std::set<Change> changes = changes_of(found, Bits(*float_format(format)), is_own);
    if (changes.empty()) continue;
    std::vector<std::string> words;
    for (const Change change : changes)
      words.emplace_back(words_for(change));
    return fmt::format("the expected ones, but {}{}", is_own ? "" : fmt::format("read as {}, ", name(format)),
                       joined(words, " and "));
  }
  return {};
}

namespace {

constexpr std::array<std::int64_t, 9> divisors{2, 4, 8, 16, 32, 64, 128, 256, 65'536};

bool is_power_of_two(std::int64_t number) {
  return number > 0 && std::has_single_bit(static_cast<std::uint64_t>(number));
}

// Returns "33 bytes", "1 byte", "33" for a quantity without a unit.
std::string amount(std::int64_t number, std::string_view unit) {
  if (unit.empty()) return with_thousands(number);
  const std::string_view one = unit == "axes" ? "axis" : unit.substr(0, unit.size() - 1);
  return with_thousands(number) + " " + std::string(number == 1 ? one : unit);
}

// Returns how far past a 64-byte boundary the output begins.
int output_offset(const NumberedCase& it) {
  return it.question.placement.output_offset.value_or(it.question.placement.offset);
}

// The lowest and the highest of some numbers.
struct NumberRange {
  std::int64_t low = std::numeric_limits<std::int64_t>::max(),
               high = std::numeric_limits<std::int64_t>::min();
  void add(std::int64_t number) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
};

class Conditions {
 public:
  explicit Conditions(const std::vector<NumberedCase>& cases) : cases_(cases) {}

  std::vector<Condition> all() {
    add_circumstances();
    add_forms();
    add_types();
    for (std::size_t index = 0; index < quantity_count; ++index)
      add_quantity(index);
    return std::move(found_);
  }

 private:
  void add(std::string subject, std::string predicate, std::function<bool(const NumberedCase&)> holds) {
    if (std::ranges::all_of(cases_, holds))
      found_.push_back({std::move(subject), std::move(predicate), std::move(holds), std::nullopt, nullptr});
  }

  void add_circumstances() {
    add("calls", "are concurrent", [](const NumberedCase& it) { return it.question.placement.threads > 1; });
    add("calls", "are made many times",
        [](const NumberedCase& it) { return it.question.placement.calls > 1; });
    add("buffers", "are not aligned",
        [](const NumberedCase& it) { return it.question.placement.offset != 0 || output_offset(it) != 0; });
    add("the data", "are not aligned",
        [](const NumberedCase& it) { return it.question.placement.offset != 0; });
    add("the output", "is not aligned", [](const NumberedCase& it) { return output_offset(it) != 0; });
    add("elements", "are special values (fill=special)",
        [](const NumberedCase& it) { return it.question.fill.kind == Fill::Kind::special; });
    add("elements", "are no plain numbers (fill=special, fill=bits, or in braces)",
        [](const NumberedCase& it) {
          return it.question.fill.kind != Fill::Kind::index || !it.question.data.bytes().empty();
        });
  }

  void add_forms() {
    add("the data", "are square in their last two axes", [](const NumberedCase& it) {
      const Shape& shape = it.question.data.shape();
      return shape.size() > 1 && shape.back() > 1 && shape.back() == shape[shape.size() - 2];
    });
  }

  void add_types() {
    const ElementType type = cases_.front().question.data.type();
    add("elements", type == ElementType::string ? "are strings" : "are " + std::string(name(type)),
        [type](const NumberedCase& it) { return it.question.data.type() == type; });
    add("elements", "share bytes", [](const NumberedCase& it) { return is_packed(it.question.data.type()); });
    add("elements", "are real numbers",
        [](const NumberedCase& it) { return is_real(it.question.data.type()); });
    add("elements", "are complex numbers", [](const NumberedCase& it) {
      return it.question.data.type() == ElementType::c64 || it.question.data.type() == ElementType::c128;
    });
  }

  // Adds a condition that a number of the case meets; one of its numbers, if it has several.
  void add_number(std::size_t index, const char* subject, std::string predicate,
                  std::function<bool(std::int64_t)> meets) {
    const auto holds = [index, meets](const NumberedCase& it) {
      return std::ranges::any_of(it.numbers[index], meets);
    };
    if (!std::ranges::all_of(cases_, holds)) return;
    found_.push_back({subject, std::move(predicate), holds, std::nullopt, nullptr});
    if (quantities[index].is_one) return;
    found_.back().quantity = index;
    found_.back().meets = std::move(meets);
  }

  void add_quantity(std::size_t index) {
    const Quantity& quantity = quantities[index];
    // Of several numbers the greatest is bounded.
    NumberRange range;
    for (const NumberedCase& each : cases_) {
      if (each.numbers[index].empty()) return;
      range.add(std::ranges::max(each.numbers[index]));
    }
    const std::string unit = quantity.unit, has = quantity.has;
    // All cases must have the number, so the first has it.
    const std::vector<std::int64_t>& first = cases_.front().numbers[index];
    for (const std::int64_t number : std::set(first.begin(), first.end()))
      add_number(index, quantity.subject, has + " " + amount(number, unit),
                 [number](std::int64_t other) { return other == number; });
    add_number(index, quantity.subject, has + " " + amount(range.low, unit) + " or more",
               [low = range.low](std::int64_t number) { return number >= low; });
    add(quantity.is_one ? quantity.subject : "no" + std::string(quantity.subject).substr(1),
        quantity.is_one ? has + " " + amount(range.high, unit) + (unit.empty() ? " or less" : " or fewer")
                        : has + " more than " + amount(range.high, unit),
        [index, high = range.high](const NumberedCase& it) {
          return std::ranges::all_of(it.numbers[index],
                                     [high](std::int64_t number) { return number <= high; });
        });
    const auto add_kind = [&](std::string predicate, std::function<bool(std::int64_t)> meets) {
      add_number(index, quantity.number, std::move(predicate), std::move(meets));
    };
    if (unit.empty() || unit == "elements") {
      add_kind("is no power of two",
               [](std::int64_t number) { return number > 0 && !is_power_of_two(number); });
      add_kind("is a power of two", is_power_of_two);
    }
    if (unit.empty())
      for (const std::int64_t more : {1, -1})
        add_kind(std::string("is one ") + (more > 0 ? "less" : "more") + " than a power of two",
                 [more](std::int64_t number) { return number > 2 && is_power_of_two(number + more); });
    for (const std::int64_t divisor : divisors)
      if (range.high >= divisor) add_remainders(index, divisor);
  }

  void add_remainders(std::size_t index, std::int64_t divisor) {
    const Quantity& quantity = quantities[index];
    const std::string unit = quantity.number_unit;
    const auto add_kind = [&](std::string predicate, std::function<bool(std::int64_t)> meets) {
      add_number(index, quantity.number, std::move(predicate), std::move(meets));
    };
    const auto multiple = [&](const char* no) {
      if (divisor > 2) return std::string("is ") + no + " multiple of " + amount(divisor, unit);
      const std::string kind = *no == 'a' ? "even" : "odd";
      return "is " + (unit.empty() ? kind : "an " + kind + " number of " + unit);
    };
    add_kind(multiple("a"), [divisor](std::int64_t number) { return number % divisor == 0; });
    add_kind(multiple("no"), [divisor](std::int64_t number) { return number % divisor != 0; });
    if (divisor == 2) return;
    const auto within = [&](std::int64_t low, std::int64_t high) {
      const std::string span =
          low == high ? amount(low, unit) : with_thousands(low) + " to " + amount(high, unit);
      add_kind("is " + span + " more than a multiple of " + with_thousands(divisor),
               [=](std::int64_t number) { return number % divisor >= low && number % divisor <= high; });
    };
    // All cases must have a number with the remainder, so the numbers of the first have it.
    std::set<std::int64_t> rests;
    for (const std::int64_t number : cases_.front().numbers[index])
      rests.insert(number % divisor);
    for (const std::int64_t rest : rests)
      if (rest > 0) within(rest, rest);
    if (!quantity.is_one) return;
    NumberRange rest;
    for (const NumberedCase& each : cases_)
      rest.add(each.numbers[index].front() % divisor);
    if (rest.low > 1 && rest.low < rest.high) within(rest.low, divisor - 1);
  }

  const std::vector<NumberedCase>& cases_;
  std::vector<Condition> found_;
};

}  // namespace

std::vector<Condition> conditions_of(const std::vector<NumberedCase>& cases) {
  if (cases.empty()) return {};
  return Conditions(cases).all();
}

std::optional<Condition> joined(const Condition& one, const Condition& other) {
  if (!one.quantity || one.quantity != other.quantity) return std::nullopt;
  const std::size_t index = *one.quantity;
  const auto meets = [first = one.meets, second = other.meets](std::int64_t number) {
    return first(number) && second(number);
  };
  const auto holds = [index, meets](const NumberedCase& it) {
    return std::ranges::any_of(it.numbers[index], meets);
  };
  if (one.subject == other.subject)
    return Condition{one.subject, one.predicate + " and " + other.predicate, holds, index, meets};
  // "a block has 65 bytes or more", "the size of a block is no multiple of 16 bytes"
  const bool is_first = one.subject == quantities[index].subject;
  const Condition &bound = is_first ? one : other, &kind = is_first ? other : one;
  return Condition{bound.subject, bound.predicate + " and its size " + kind.predicate, holds, index, meets};
}

std::string words_of(const std::vector<const Condition*>& conditions) {
  std::string words, subject;
  for (const Condition* condition : conditions) {
    if (!words.empty()) words += " and ";
    if (condition->subject != subject) words += condition->subject + " ";
    words += condition->predicate;
    subject = condition->subject;
  }
  return words;
}

}  // namespace certile::conformance
