#include "conformance/judge/charge.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "conformance/judge/case_traits.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/element_text.hpp"

namespace certile::conformance {

namespace {

// Returns the first dimension that differs; the shapes have the same rank.
std::size_t first_wrong(const Shape& right, const Shape& seen) {
  return static_cast<std::size_t>(std::ranges::mismatch(right, seen).in1 - right.begin());
}

using Numbers = std::vector<std::optional<RepeatCount>>;

bool is_zero(const std::optional<RepeatCount>& number) {
  return number && !number->beyond && number->value == 0;
}

// Returns the repeat for `axis` of an output of `rank`, 1 if the repeats were promoted.
std::optional<RepeatCount> repeat_at(const Numbers& repeats, std::size_t rank, std::size_t axis) {
  const std::size_t promoted = rank - repeats.size();
  return axis < promoted ? RepeatCount{1} : repeats[axis - promoted];
}

// Returns true if a repeat of a narrow type was read with the other signedness, 255 for i8{-1}, -1 for
// u8{255}, and not as its absolute value, which is the same number for i8{-128}.
bool has_wrong_sign(ElementType type, const std::optional<RepeatCount>& repeat, std::int64_t dimension,
                    std::int64_t seen) {
  const int width = bits(type);
  if (!repeat || width >= 63 || dimension <= 0) return false;
  const std::int64_t value = repeat->value;
  const std::int64_t range = std::int64_t{1} << width;
  if (value < 0) return value != -range / 2 && seen % dimension == 0 && seen / dimension == value + range;
  const bool looks_negative = is_unsigned_integer(type) && value >= range / 2;
  return looks_negative && (seen == 0 || (seen % dimension == 0 && seen / dimension == value - range));
}

// Returns true if the only mistake is that a repeat of 0 was taken as 1.
bool is_of_zeros_as_ones(const Shape& data, const Numbers& repeats, const Shape& right, const Shape& seen) {
  for (std::size_t axis = 0; axis < right.size(); ++axis)
    if (seen[axis] != (is_zero(repeats[axis]) ? data[axis] : right[axis])) return false;
  return true;
}

// Returns true if the shape is that of the repeats in the opposite order, and of nothing simpler; false
// unless there is one repeat for each axis.
bool is_of_reversed_repeats(const Shape& data, const Numbers& repeats, const Shape& right,
                            const Shape& seen) {
  if (repeats.empty() || repeats.size() != data.size()) return false;
  if (is_of_zeros_as_ones(data, repeats, right, seen)) return false;
  if (seen == data) return false;  // as if nothing had been repeated
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    const auto repeat = repeats[data.size() - 1 - axis];
    const bool is_multiple = seen[axis] % std::max<std::int64_t>(data[axis], 1) == 0;
    if (!repeat || repeat->beyond || !is_multiple) return false;
    const std::int64_t copies = std::max<std::int64_t>(repeat->value, 0);
    if (data[axis] == 0 ? seen[axis] != 0 : seen[axis] / data[axis] != copies) return false;
  }
  return true;
}

// Returns the roles of the rules that give data and repeats the same length, if their lengths differ.
std::vector<Role> promotion(const CaseTraits& traits) {
  if (traits.repeats_count > traits.rank) return {Role::promote_data};
  if (traits.repeats_count == traits.rank) return {};
  return traits.repeats_count == 0 ? std::vector{Role::empty_repeats, Role::promote_repeats}
                                   : std::vector{Role::promote_repeats};
}

std::vector<Role> roles_of_repeats(const Case& question, const Shape& right, const Shape& seen) {
  const CaseTraits traits = traits_of(question);
  const Numbers repeats = numbers_in(question.repeats);
  std::vector<Role> roles = promotion(traits);
  if (right.size() != seen.size()) {
    const bool is_scalar = traits.rank == 0 && traits.repeats_count == 0;
    if (is_scalar) roles = {Role::scalar};
    roles.push_back(Role::output_rank);
    return roles;
  }
  const std::size_t axis = first_wrong(right, seen);
  if (axis == right.size()) return {Role::output_rank};
  const auto repeat = repeat_at(repeats, right.size(), axis);
  // The shape made from a negative repeat may look like many things; the text defines none.
  const Shape& data = question.data.shape();
  if (is_of_reversed_repeats(data, repeats, right, seen) && !traits.negative) return {Role::factors};
  roles.push_back(Role::dimension_product);
  if (is_zero(repeat)) return {Role::zero_shape, Role::zero};
  const std::size_t new_axes = right.size() - traits.rank;
  const std::int64_t dimension = axis < new_axes ? 1 : data[axis - new_axes];
  if (has_wrong_sign(question.repeats.type(), repeat, dimension, seen[axis])) return {Role::repeats_types};
  if (repeat && repeat->value < 0) return {Role::negative};
  return roles;
}

// Returns the axis to repeat along; nothing if that is not a number that the data has.
std::optional<std::size_t> axis_of(const Case& question) {
  const auto axis = number_at(question.axis->view(), 0);
  const auto rank = static_cast<std::int64_t>(question.data.shape().size());
  if (!axis || axis->beyond || axis->value >= rank || axis->value < -rank) return std::nullopt;
  return static_cast<std::size_t>(axis->value < 0 ? axis->value + rank : axis->value);
}

// Returns the axes in which `seen` differs from the data.
std::vector<std::size_t> changed_axes(const Shape& data, const Shape& seen) {
  std::vector<std::size_t> changed;
  for (std::size_t axis = 0; axis < data.size(); ++axis)
    if (seen[axis] != data[axis]) changed.push_back(axis);
  return changed;
}

std::vector<Role> roles_along_axis(const Case& question, const Shape& right, const Shape& seen) {
  if (right.size() != seen.size() || right == seen) return {Role::output_rank};
  const CaseTraits traits = traits_of(question);
  const Shape& data = question.data.shape();
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

namespace {

// Returns true if the shape is that of data and repeats after the shorter got ones in front.
bool is_broadcast(const Case& question, const Shape& given) {
  const auto shape = oracle::broadcast_shape(question);
  return shape && *shape == given;
}

Role role_of(Fault fault) {
  switch (fault) {
    case Fault::wrote_outside:
    case Fault::read_outside:
      return Role::bounds;
    case Fault::changed_state:
      return Role::state;
    case Fault::leaked:
      return Role::leak;
    case Fault::changed_input:
      return Role::input;
    case Fault::aliased:
      return Role::alias;
    case Fault::left_unwritten:
      return Role::write;
    case Fault::unsteady:
      return Role::steady;
    case Fault::misplaced:
      return Role::place;
    case Fault::raced:
      return Role::threads;
    case Fault::wrote_on_refusal:
      return Role::refuse;
    case Fault::called_oracle:
      return Role::self;
    case Fault::claim:
      return Role::claim;
    case Fault::none:
    case Fault::shape:
    case Fault::type:
    case Fault::elements:
    case Fault::refused:
    case Fault::accepted:
    case Fault::crash:
    case Fault::timeout:
    case Fault::memory:
    case Fault::failed:
      break;
  }
  return Role::none;
}

}  // namespace

ClauseId answer_clause(const Case& question) {
  const CaseTraits it = traits_of(question);
  const bool has_axis = question.axis.has_value();
  const bool has_other_form =
      has_axis && (!question.repeats.shape().empty() || !question.axis->shape().empty());
  struct Applies {
    bool applies;
    Role role;
  };
  // From the most special role to the plainest.
  const Applies roles[] = {
      {it.negative_axis, Role::negative_axis},
      {it.negative, Role::negative},
      {it.zero, Role::zero},
      {it.rank == 0, Role::scalar},
      {it.repeats_count == 0, Role::empty_repeats},
      {it.large_dimension, Role::overflow},
      {it.near_overflow, Role::count_overflow},
      {has_other_form, Role::repeats_form},
      {it.mixes_types(), Role::mixed_types},
      {it.empty_data, Role::empty_data},
      {!has_axis && it.repeats_count > it.rank, Role::promote_data},
      {!has_axis && it.repeats_count < it.rank, Role::promote_repeats},
      {!has_axis && question.repeats.type() != ElementType::i64, Role::repeats_types},
      {!it.has_required_type(), Role::more_types},
      {question.data.type() != ElementType::f32, Role::element_types},
      {it.has_high_rank(), Role::high_rank},
  };
  for (const auto& [applies, role] : roles) {
    const ClauseId clause = applies ? clause_with(question.definition, role) : ClauseId::none;
    if (clause != ClauseId::none) return clause;
  }
  return clause_with(question.definition, Role::tiling);
}

ClauseId shape_clause(const Case& question, const Shape& right, const Shape& seen) {
  const auto roles = shape_roles(question, right, seen);
  for (const Role role : roles) {
    const ClauseId clause = clause_with(question.definition, role);
    if (clause != ClauseId::none) return clause;
  }
  return clause_with(question.definition, Role::output_rank);
}

ClauseId accepted_clause(const Case& question, const Reject& expected, const std::optional<Shape>& given) {
  const ClauseId no_broadcast = clause_with(question.definition, Role::no_broadcast);
  const bool may_be_broadcast = expected.role == Role::length && given && no_broadcast != ClauseId::none;
  if (may_be_broadcast && is_broadcast(question, *given)) return no_broadcast;
  const bool is_of_the_text = clause_of(expected.clause).kind == Clause::Kind::normative;
  return is_of_the_text ? clause_with(question.definition, Role::excluded) : expected.clause;
}

ClauseId contract_clause(Fault fault) {
  const Role role = role_of(fault);
  return role == Role::none ? ClauseId::none : clause_with(DefinitionId{}, role);
}

bool is_of_the_door(ClauseId id) {
  return has_role(id, Role::infer) || has_role(id, Role::self);
}

bool has_happened(Fault fault) {
  // [CT-STATE] [CT-LEAK] what is changed or kept is so for the calls that follow
  return fault == Fault::changed_state || fault == Fault::leaked;
}

std::optional<Fault> gravest(const std::vector<Fault>& rig, bool only_damage) {
  for (const Fault fault : rig) {
    const bool damage = fault == Fault::wrote_outside || fault == Fault::read_outside ||
                        fault == Fault::changed_input || fault == Fault::called_oracle;
    if (damage || !only_damage) return fault;
  }
  return std::nullopt;
}

}  // namespace certile::conformance
