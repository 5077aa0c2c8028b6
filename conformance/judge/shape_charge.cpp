#include "conformance/judge/shape_charge.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/judge/case_traits.hpp"

namespace certile {
namespace {

// The first dimension that differs; the shapes have the same rank.
std::size_t first_wrong(const Shape& right, const Shape& seen) {
  return static_cast<std::size_t>(std::ranges::mismatch(right, seen).in1 - right.begin());
}

// The spelling of the repeat for `axis` of an output of `rank`, "1" where repeats were promoted.
std::string_view repeat_at(const Case& question, std::size_t rank, std::size_t axis) {
  if (!question.repeats.elements) return "1";
  const auto& repeats = *question.repeats.elements;
  const std::size_t promoted = rank - repeats.size();
  return axis < promoted ? std::string_view("1") : std::string_view(repeats[axis - promoted]);
}

// True where a repeat of a narrow type was read with the other signedness, 255 for i8{-1}, -1 for u8{255},
// and not as its absolute value, which is the same number for i8{-128}.
bool has_wrong_sign(const Case& question, std::string_view repeat, std::int64_t dimension,
                    std::int64_t seen) {
  const int width = bits(question.repeats.type);
  const auto value = spelled_number(repeat);
  if (!value || width >= 63 || dimension <= 0) return false;
  const std::int64_t range = std::int64_t{1} << width;
  if (*value < 0) return *value != -range / 2 && seen % dimension == 0 && seen / dimension == *value + range;
  const bool looks_negative = is_unsigned_integer(question.repeats.type) && *value >= range / 2;
  return looks_negative && (seen == 0 || (seen % dimension == 0 && seen / dimension == *value - range));
}

// True where nothing but a repeat of 0 was taken for 1.
bool is_of_zeros_as_ones(const Case& question, const Shape& right, const Shape& seen) {
  for (std::size_t axis = 0; axis < right.size(); ++axis) {
    const bool is_zero = spells_zero((*question.repeats.elements)[axis]);
    if (seen[axis] != (is_zero ? question.data.shape[axis] : right[axis])) return false;
  }
  return true;
}

// True where the shape is what the repeats give in the opposite order, and nothing simpler; only where there
// is one for each axis.
bool is_of_reversed_repeats(const Case& question, const Shape& right, const Shape& seen) {
  const Shape& data = question.data.shape;
  if (!question.repeats.elements || question.repeats.elements->size() != data.size()) return false;
  if (is_of_zeros_as_ones(question, right, seen)) return false;
  if (seen == data) return false;  // as if nothing had been repeated
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    const auto repeat = spelled_number((*question.repeats.elements)[data.size() - 1 - axis]);
    if (!repeat || seen[axis] % std::max<std::int64_t>(data[axis], 1) != 0) return false;
    const std::int64_t copies = std::max<std::int64_t>(*repeat, 0);
    if (data[axis] == 0 ? seen[axis] != 0 : seen[axis] / data[axis] != copies) return false;
  }
  return true;
}

// The rule that makes data and repeats of one length, where they are of different lengths.
std::vector<Role> promotion(const CaseTraits& traits) {
  if (traits.repeats_count > traits.rank) return {Role::promote_data};
  if (traits.repeats_count == traits.rank) return {};
  return traits.repeats_count == 0 ? std::vector{Role::empty_repeats, Role::promote_repeats}
                                   : std::vector{Role::promote_repeats};
}

std::vector<Role> roles_of_repeats(const Case& question, const Shape& right, const Shape& seen) {
  const CaseTraits traits = traits_of(question);
  std::vector<Role> roles = promotion(traits);
  if (right.size() != seen.size()) {
    const bool is_scalar = traits.rank == 0 && traits.repeats_count == 0;
    if (is_scalar) roles = {Role::scalar};
    roles.push_back(Role::output_rank);
    return roles;
  }
  const std::size_t axis = first_wrong(right, seen);
  if (axis == right.size()) return {Role::output_rank};
  const std::string_view repeat = repeat_at(question, right.size(), axis);
  // What a negative repeat makes of a shape may look like many things; the text says nothing of it.
  if (is_of_reversed_repeats(question, right, seen) && !traits.negative) return {Role::factors};
  roles.push_back(Role::dimension_product);
  if (spells_zero(repeat)) return {Role::zero_shape, Role::zero};
  const std::size_t new_axes = right.size() - traits.rank;
  const std::int64_t dimension = axis < new_axes ? 1 : question.data.shape[axis - new_axes];
  if (has_wrong_sign(question, repeat, dimension, seen[axis])) return {Role::repeats_types};
  if (spells_negative(repeat)) return {Role::negative};
  return roles;
}

// The axis that is to be repeated along; nothing where that is no number that the data has.
std::optional<std::size_t> axis_of(const Case& question) {
  const auto axis = question.axis->elements ? spelled_number(question.axis->elements->front()) : std::nullopt;
  const auto rank = static_cast<std::int64_t>(question.data.shape.size());
  if (!axis || *axis >= rank || *axis < -rank) return std::nullopt;
  return static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis);
}

// The axes in which `seen` differs from the data.
std::vector<std::size_t> changed_axes(const Shape& data, const Shape& seen) {
  std::vector<std::size_t> changed;
  for (std::size_t axis = 0; axis < data.size(); ++axis)
    if (seen[axis] != data[axis]) changed.push_back(axis);
  return changed;
}

std::vector<Role> roles_along_axis(const Case& question, const Shape& right, const Shape& seen) {
  if (right.size() != seen.size() || right == seen) return {Role::output_rank};
  const CaseTraits traits = traits_of(question);
  const Shape& data = question.data.shape;
  const std::vector<std::size_t> changed = changed_axes(data, seen);
  const auto along = axis_of(question);
  if (traits.negative_axis) return {Role::negative_axis};
  if (changed.size() == 1 && along && changed.front() != *along) return {Role::axis};
  if (traits.zero) return {Role::zero};
  const bool is_multiple =
      along && changed.size() <= 1 && data[*along] > 0 && seen[*along] % data[*along] == 0;
  if (is_multiple) return {Role::factors};
  return {Role::dimension_product};
}

}  // namespace

std::vector<Role> shape_roles(const Case& question, const Shape& right, const Shape& seen) {
  return question.axis ? roles_along_axis(question, right, seen) : roles_of_repeats(question, right, seen);
}

}  // namespace certile
