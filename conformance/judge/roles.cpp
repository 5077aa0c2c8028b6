#include "conformance/judge/roles.hpp"

#include <array>
#include <cstddef>

#include "reference/oracle/definition.hpp"

namespace certile::conformance {

namespace {

using Traits = const CaseTraits&;

bool always(Traits) {
  return true;
}
bool never(Traits) {
  return false;
}
bool has_repeats(Traits it) {
  return it.repeats_count > 0;
}
bool repeats_something(Traits it) {
  return it.several;
}
bool has_large_count(Traits it) {
  return it.near_overflow && !it.large_dimension;
}
bool is_scalar(Traits it) {
  return it.rank == 0;
}
// Returns true for single calls, because the rig has guards and checks the inputs only for those.
bool is_made_alone(Traits it) {
  return it.question->placement.threads == 1;
}
bool is_placed(Traits it) {
  return it.question->placement.chooses_addresses();
}

RoleRule make_rule(Role role) {
  switch (role) {
    case Role::values:
      return {Proof::elements, always};
    case Role::tiling:
    case Role::factors:
    case Role::axis:
      return {Proof::elements, repeats_something};
    case Role::output_rank:
      return {Proof::shape, always};
    case Role::output_type:
      return {Proof::run, always};
    case Role::dimension_product:
      return {Proof::shape, has_repeats};
    case Role::layout:
      return {Proof::elements, [](Traits it) { return is_packed(it.question->data.type()); }};
    case Role::any_shape:
    case Role::element_types:
    case Role::repeats_types:
    case Role::length:
    case Role::claim:
    case Role::returns:
      return {Proof::call, always};
    case Role::high_rank:
      return {Proof::call, [](Traits it) { return it.has_high_rank(); }};
    case Role::required_rank:
      return {Proof::call, [](Traits it) { return it.has_required_rank(); }};
    case Role::more_types:
      return {Proof::call, [](Traits it) { return !it.has_required_type(); }};
    case Role::repeats_input:
      return {Proof::call, has_repeats};
    case Role::mixed_types:
      return {Proof::call, [](Traits it) { return it.mixes_types(); }};
    case Role::negative_axis:
      return {Proof::call, [](Traits it) { return it.negative_axis; }};
    case Role::promote_data:
      return {Proof::shape, [](Traits it) { return it.repeats_count > it.rank; }};
    case Role::promote_repeats:
      return {Proof::shape, [](Traits it) { return it.repeats_count < it.rank; }};
    case Role::scalar:
      return {Proof::call, is_scalar};
    case Role::empty_data:
      return {Proof::call, [](Traits it) { return it.empty_data; }};
    case Role::empty_repeats:
      return {Proof::call, [](Traits it) { return it.repeats_count == 0 && it.rank > 0; }};
    case Role::zero:
    case Role::zero_shape:
      return {Proof::shape, [](Traits it) { return it.zero; }};
    case Role::negative:
      return {Proof::shape, [](Traits it) { return it.negative; }};
    case Role::overflow:
      return {Proof::shape, [](Traits it) { return it.large_dimension; }};
    case Role::count_overflow:
      return {Proof::shape, has_large_count};
    case Role::bits:
      return {Proof::elements, [](Traits it) { return it.has_telling_bits(); }};
    case Role::write:
    case Role::steady:
      return {Proof::elements, always};
    case Role::bounds:
    case Role::state:
    case Role::input:
      return {Proof::run, is_made_alone};
    case Role::alias:
      return {Proof::elements, is_made_alone};
    case Role::place:
      return {Proof::elements, is_placed};
    case Role::threads:
      return {Proof::elements, [](Traits it) { return it.question->placement.threads > 1; }};
    case Role::leak:
      return {Proof::run, [](Traits it) { return it.question->placement.calls > 1; }};
    case Role::none:
    case Role::repeats_form:
    case Role::whole_number:
    case Role::no_broadcast:
    case Role::axis_range:
    case Role::strings:
    case Role::excluded:
    case Role::refuse:
    case Role::infer:
    case Role::self:
      break;
  }
  return {Proof::call, never};
}

}  // namespace

const RoleRule& rule_of(Role role) noexcept {
  static const auto rules = [] {
    std::array<RoleRule, static_cast<std::size_t>(Role::self) + 1> all{};
    for (std::size_t index = 0; index < all.size(); ++index)
      all[index] = make_rule(static_cast<Role>(index));
    return all;
  }();
  return rules[static_cast<std::size_t>(role)];
}

bool counts_at_text(DefinitionId definition, ClauseId clause) {
  if (clause == ClauseId::none || !counts_at_text(clause_of(clause).kind)) return false;
  const bool is_contradicted = has_role(clause, Role::bits) || has_role(clause, Role::alias);
  return !(is_contradicted && oracle::rules_of(definition).contract_is_ours);
}

}  // namespace certile::conformance
