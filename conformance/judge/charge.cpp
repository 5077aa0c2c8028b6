#include "conformance/judge/charge.hpp"

#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/shape_charge.hpp"
#include "reference/oracle/promote.hpp"

namespace certile::conformance {
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
