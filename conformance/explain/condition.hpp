#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/explain/case_numbers.hpp"

namespace certile::conformance {

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
