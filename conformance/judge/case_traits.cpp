#include "conformance/judge/case_traits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "reference/oracle/definition.hpp"

namespace certile {
namespace {

const std::vector<std::string>& spellings(const Operand& operand) {
  static const std::vector<std::string> none;
  return operand.elements ? *operand.elements : none;
}

// About the number; infinite where it is beyond all integers, or no number.
long double approximate(std::string_view number) {
  if (number.size() == 1) return number[0] - '0';
  long double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = read.ec == std::errc{} && read.ptr == number.data() + number.size();
  return whole ? value : std::numeric_limits<long double>::infinity();
}

// True for an output dimension of `least` and more, counting each zero as one; an axis is not looked up,
// since only the one repeat along it can be large.  A long double holds every integer of 64 bits.
bool has_dimension(const Case& question, long double least) {
  const Shape& shape = question.data.shape;
  const std::vector<std::string>& repeats = spellings(question.repeats);
  for (std::size_t back = 1; back <= std::max(shape.size(), repeats.size()); ++back) {
    long double dimension = 1;
    if (back <= shape.size())
      dimension *= static_cast<long double>(std::max<std::int64_t>(shape[shape.size() - back], 1));
    if (back <= repeats.size()) dimension *= std::max(approximate(repeats[repeats.size() - back]), 1.0L);
    if (dimension >= least) return true;
  }
  return false;
}

}  // namespace

bool spells_zero(std::string_view number) noexcept {
  return number == "0" || number == "-0";
}

bool spells_negative(std::string_view number) noexcept {
  return number.starts_with('-') && number != "-0";
}

std::optional<std::int64_t> spelled_number(std::string_view spelling) noexcept {
  std::int64_t value = 0;
  const auto read = std::from_chars(spelling.data(), spelling.data() + spelling.size(), value);
  if (read.ec != std::errc{} || read.ptr != spelling.data() + spelling.size()) return std::nullopt;
  return value;
}

CaseTraits traits_of(const Case& question) {
  CaseTraits traits;
  traits.question = &question;
  traits.rank = question.data.shape.size();
  for (const std::int64_t dimension : question.data.shape) {
    traits.empty_data = traits.empty_data || dimension == 0;
    if (dimension > 0) traits.elements *= static_cast<long double>(dimension);
  }
  traits.repeats_count = spellings(question.repeats).size();
  for (const std::string& repeat : spellings(question.repeats)) {
    if (repeat == "1") continue;
    if (spells_zero(repeat)) {
      traits.zero = true;
    } else if (spells_negative(repeat)) {
      traits.negative = true;
    } else {
      traits.several = true;
      traits.elements *= approximate(repeat);
    }
  }
  traits.near_overflow = traits.elements >= 0x1p62L;
  // Below 2^63 elements, a large dimension is all that is special; from there on, it has to be too large
  // itself.
  const long double large = traits.elements < 0x1p63L ? 0x1p62L : 0x1p63L;
  traits.large_dimension = traits.near_overflow && has_dimension(question, large);
  if (question.axis && !spellings(*question.axis).empty())
    traits.negative_axis = spells_negative(spellings(*question.axis).front());
  return traits;
}

bool CaseTraits::mixes_types() const noexcept {
  return question->axis &&
         (question->repeats.type != question->data.type || question->axis->type != question->data.type);
}

bool CaseTraits::has_required_rank() const noexcept {
  return static_cast<std::int64_t>(rank) <= rules_of(question->definition).required_rank;
}

bool CaseTraits::has_required_type() const noexcept {
  const TypeSet required = rules_of(question->definition).data.required;
  return required.empty() || required.contains(question->data.type);
}

bool CaseTraits::has_telling_bits() const {
  if (!question->data.elements) return question->fill.kind != Fill::Kind::index;
  if (question->data.type == ElementType::string) return true;
  return std::ranges::any_of(*question->data.elements, [](const std::string& element) {
    return element.starts_with("0x") || element == "-0" || element.find('e') != std::string::npos ||
           element.size() > 7;  // whole numbers that f32 does not hold have 8 digits and more
  });
}

}  // namespace certile
