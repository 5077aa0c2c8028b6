#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/explain/picture.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// A number that follows from a case, for instance the bytes of a row, with the words of sentences about it:
// "rows have 33 bytes or more", "the size of a row is a multiple of 16 bytes".
struct Quantity {
  const char *subject, *has, *unit;
  const char *number, *number_unit;  // of the sentences about what kind of number it is
  bool is_one;                       // a case has one such number, and not one for each axis
};

inline constexpr std::size_t quantity_count = 19;
extern const std::array<Quantity, quantity_count> quantities;

// The numbers of a case, by quantity.  A quantity has none if the case has no such thing.
using CaseNumbers = std::array<std::vector<std::int64_t>, quantity_count>;
CaseNumbers numbers_of(const Case& question);

// Recognizes elements that went through floating-point arithmetic instead of being moved: zeros that lost
// their sign, NaNs that became quiet, subnormal numbers that became zero.  Elements of another type, such as
// i32, are read as floating-point numbers of their width.  Returns "the expected ones, but …"; empty if a
// wrong element is anything else.
std::string changed_by_arithmetic(const WrongElements& found);

// A case with its numbers.
struct NumberedCase {
  explicit NumberedCase(Case it) : question(std::move(it)), numbers(numbers_of(question)) {}
  Case question;
  CaseNumbers numbers;
};

// A property of cases, as a sentence of two parts: "rows", "have 33 bytes or more".
struct Condition {
  std::string subject, predicate;
  std::function<bool(const NumberedCase&)> holds;
  // Of a condition that one of several numbers of a case meets: their place in `quantities`, and the test.
  std::optional<std::size_t> quantity = std::nullopt;
  std::function<bool(std::int64_t)> meets = nullptr;
};

// Returns the condition that one number meets both, if both are about the same numbers; otherwise two blocks,
// say, may meet one each.
std::optional<Condition> joined(const Condition& one, const Condition& other);

// Returns conditions that all these cases meet, each as narrow as the cases allow, the simplest first: bounds
// and remainders of their numbers, powers of two, types, circumstances of the call.
std::vector<Condition> conditions_of(const std::vector<NumberedCase>& cases);

// Returns the sentence of several conditions: "rows have 33 bytes or more and are no multiple of 16 bytes".
std::string words_of(const std::vector<const Condition*>& conditions);

}  // namespace certile::conformance
