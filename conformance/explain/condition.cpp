#include "conformance/explain/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <set>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
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
