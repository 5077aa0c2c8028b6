#include "conformance/judge/case_traits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "reference/oracle/definition.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// Returns element `index` of repeats, tiles or an axis, roughly; infinity if it is not a finite number.
long double approximate(const Tensor& operand, std::int64_t index) {
  constexpr long double infinity = std::numeric_limits<long double>::infinity();
  using enum ElementType;
  const ElementType type = operand.type();
  if (type == f16 || type == f32 || type == f64) {
    const double number = real_at(operand.view(), index);
    return std::isfinite(number) ? static_cast<long double>(number) : infinity;
  }
  const auto number = number_at(operand.view(), index);
  if (!number) return infinity;
  return number->beyond ? 0x1p63L : static_cast<long double>(number->value);
}

// Returns true for an output dimension of `least` and more, counting each zero as one; the axis is ignored,
// because only the one repeat along it can be large.  A long double holds every integer of 64 bits.
bool has_dimension(const Case& question, long double least) {
  const Shape& shape = question.data.shape();
  const auto repeats = static_cast<std::size_t>(question.repeats.count());
  for (std::size_t back = 1; back <= std::max(shape.size(), repeats); ++back) {
    long double dimension = 1;
    if (back <= shape.size())
      dimension *= static_cast<long double>(std::max<std::int64_t>(shape[shape.size() - back], 1));
    if (back <= repeats)
      dimension *= std::max(approximate(question.repeats, static_cast<std::int64_t>(repeats - back)), 1.0L);
    if (dimension >= least) return true;
  }
  return false;
}

}  // namespace

CaseTraits traits_of(const Case& question) {
  CaseTraits traits;
  traits.question = &question;
  traits.rank = question.data.shape().size();
  for (const std::int64_t dimension : question.data.shape()) {
    traits.empty_data = traits.empty_data || dimension == 0;
    if (dimension > 0) traits.elements *= static_cast<long double>(dimension);
  }
  const std::int64_t count = question.repeats.count();
  traits.repeats_count = static_cast<std::size_t>(count);
  for (std::int64_t index = 0; index < count; ++index) {
    const long double repeat = approximate(question.repeats, index);
    if (repeat == 0) traits.zero = true;
    if (repeat < 0) traits.negative = true;
    if (repeat <= 0 || repeat == 1) continue;
    traits.several = true;
    traits.elements *= repeat;
  }
  traits.near_overflow = traits.elements >= 0x1p62L;
  // Below 2^63 elements only a large dimension is special; from there on, it must itself be too large.
  const long double large = traits.elements < 0x1p63L ? 0x1p62L : 0x1p63L;
  traits.large_dimension = traits.near_overflow && has_dimension(question, large);
  if (question.axis && question.axis->count() > 0) traits.negative_axis = approximate(*question.axis, 0) < 0;
  return traits;
}

bool CaseTraits::mixes_types() const noexcept {
  return question->axis && (question->repeats.type() != question->data.type() ||
                            question->axis->type() != question->data.type());
}

bool CaseTraits::has_required_rank() const noexcept {
  return static_cast<std::int64_t>(rank) <= oracle::rules_of(question->definition).required_rank;
}

bool CaseTraits::has_required_type() const noexcept {
  const TypeSet required = oracle::rules_of(question->definition).data.required;
  return required.empty() || required.contains(question->data.type());
}

bool CaseTraits::has_telling_bits() const {
  const Tensor& data = question->data;
  if (data.bytes().empty()) return question->fill.kind != Fill::Kind::index;
  if (data.type() == ElementType::string) return true;
  for (std::int64_t index = 0; index < data.count(); ++index) {
    const std::string element = element_to_string(data, index);
    const bool is_pattern = element.starts_with("0x") || element == "-0" || element.find('e') != element.npos;
    // Whole numbers that are not exact in f32 have 8 digits and more.
    if (is_pattern || element.size() > 7) return true;
  }
  return false;
}

namespace {

// Returns the place in the opposite order of element `index` of the published one.
std::int64_t opposite(std::int64_t index, std::int64_t in_a_byte) {
  return index / in_a_byte * in_a_byte + (in_a_byte - 1 - index % in_a_byte);
}

std::int64_t opposite(const Tensor& tensor, std::int64_t index) {
  return opposite(index, 8 / bits(tensor.type()));
}

std::uint8_t read_opposite(const Tensor& tensor, std::int64_t index) {
  return packed_element(tensor.type(), tensor.bytes(), static_cast<std::size_t>(opposite(tensor, index)));
}

// Compares the elements; elements of the opposite order after the published one's last are padding bits,
// which it leaves zero.
bool is_same(const Tensor& tiled, const Tensor& seen) {
  for (std::int64_t index = 0; index < tiled.count(); ++index) {
    const bool counts = opposite(seen, index) < seen.count();
    if (!counts && seen.element(index).low != 0) return false;
    if (counts && tiled.element(index).low != read_opposite(seen, index)) return false;
  }
  return true;
}

}  // namespace

bool is_right_in_the_opposite_order(const Case& question, const Tensor& seen) {
  if (!is_packed(seen.type()) || 8 % bits(seen.type()) != 0) return false;
  for (int thread = 0; thread < question.placement.threads; ++thread) {
    const Tensor published = data_of(question, thread);
    Tensor data = published;
    for (std::int64_t index = 0; index < published.count(); ++index)
      data.set_element(index, {read_opposite(published, index), 0});
    const auto tiled = oracle::tile(question, data);
    if (!tiled || tiled->shape() != seen.shape()) return false;
    if (is_same(*tiled, seen)) return true;
  }
  return false;
}

}  // namespace certile::conformance
