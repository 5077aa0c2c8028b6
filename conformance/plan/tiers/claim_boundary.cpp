#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/plan/tiers/generators.hpp"
#include "reference/oracle/definition.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile::conformance {
namespace {

// Adds one plain case for each type that is not claimed, or that the definition refuses: [CT-CLAIM].  If the
// type is claimed for another definition, a refusal is expected, and two more cases examine the state after
// it.
void add_other_types(Sink& sink) {
  const Scope& scope = sink.scope();
  const ElementType repeats_type = scope.repeats_types().front();
  for (const ElementType type : all_element_types()) {
    if (contains(scope.types(), type)) continue;
    const bool tied = oracle::rules_of(scope.definition()).repeats.data_type_too || is_real(repeats_type);
    Case question =
        spelled_case(scope.definition(), type, {3}, tied ? ElementType::i64 : repeats_type, {"2"});
    sink.add_beyond(question);
    if (scope.in_text(type) || !scope.claim().types.contains(type)) continue;
    question.placement.guard = Placement::Guard::after;
    sink.add(question);
    question.placement = {};
    question.data = question.data.reshaped({0});
    sink.add(question);
  }
}

void add_other_types_of_repeats(Sink& sink) {
  const Scope& scope = sink.scope();
  if (call_form(scope.definition()) == CallForm::repeats_attribute) return;
  for (const ElementType type : all_element_types()) {
    if (contains(scope.repeats_types(), type)) continue;
    Case question = spelled_case(scope.definition(), scope.types().front(), {3}, type, {one_spelled(type)});
    sink.add_beyond(question);
    if (!question.axis) continue;
    question.repeats = tensor_of_numbers(ElementType::i64, {}, Shape{2});
    question.axis = tensor_spelled(type, {}, std::vector{one_spelled(type)});
    question.data = question.data.reshaped({3, 5});
    sink.add_beyond(question);
  }
}

// [CT-STEADY] Adds a call that is refused after the same call of a type that is taken, for each type of data
// that the definition refuses, and each of repeats.  What is prepared for the first one may know the width of
// an element alone, or the numbers of the repeats.
void add_refused_after_taken(Sink& sink) {
  const Scope& scope = sink.scope();
  const ElementType usual = scope.repeats_types().front();
  if (is_real(usual)) return;  // it depends on the type of the data
  const std::vector<std::string> repeats(has_axis(scope.definition()) ? 1 : 2, "2");
  std::uint64_t seed = 0;
  const auto call = [&](ElementType type, ElementType repeats_type) {
    Case question = spelled_case(scope.definition(), type, {2, 3}, repeats_type, repeats);
    question.fill = {Fill::Kind::bits, ++seed};  // a case is asked once
    return question;
  };
  for (const auto& types : scope.widths())
    for (const ElementType type : all_element_types()) {
      const bool is_refused = !scope.in_text(type) && scope.claim().types.contains(type);
      if (!is_refused || bits(type) != bits(types.front())) continue;
      sink.add(call(types.front(), usual));
      sink.add_following(call(type, usual));
    }
  if (call_form(scope.definition()) == CallForm::repeats_attribute) return;
  for (const ElementType type : all_element_types()) {
    const bool is_refused = !scope.in_text_for_repeats(type) && scope.claim().repeats_types.contains(type);
    // The other types do not all have the number 2, or spell it otherwise.
    const bool is_number = (is_integer(type) && bits(type) >= 8) || (is_real(type) && bits(type) >= 16);
    if (!is_refused || !is_number) continue;
    sink.add(call(scope.types().front(), usual));
    sink.add_following(call(scope.types().front(), type));
  }
}

void add_beyond_limits(Sink& sink) {
  const Scope& scope = sink.scope();
  const Claim& claim = scope.claim();
  const ElementType type = scope.types().front();
  const auto ask = [&](Shape shape, const Shape& repeats) {
    Scope unlimited(scope.definition(), [&] {
      Claim wider = claim;
      wider.max_rank.reset();
      wider.max_elements.reset();
      wider.max_bytes.reset();
      return wider;
    }());
    for (const Case& question :
         unlimited.cases_of({.type = type, .shape = std::move(shape), .repeats = repeats}))
      sink.add_beyond(question);
  };
  if (claim.max_rank && *claim.max_rank < 64) {
    const auto rank = static_cast<std::size_t>(std::max<std::int64_t>(*claim.max_rank, 0)) + 1;
    Shape shape(rank, 1), repeats(rank, 1);
    ask(shape, repeats);
    shape.back() = 3;
    repeats.front() = 5;
    ask(shape, repeats);
    repeats.back() = 2;
    ask(shape, repeats);
  }
  // Outputs that are made only if the limit is low; a high limit is probably the machine's.
  constexpr std::int64_t affordable = 1 << 20;
  if (claim.max_elements && *claim.max_elements < affordable) {
    ask({1}, {*claim.max_elements + 1});
    ask({*claim.max_elements + 1}, {1});
  }
  if (claim.max_bytes && *claim.max_bytes < affordable) {
    const std::int64_t elements = *claim.max_bytes * 8 / bits(type) + 1;
    ask({1}, {elements});
    ask({elements}, {1});
  }
}

}  // namespace

void add_claim_boundary(Sink& sink) {
  sink.begin(Generator::claim_boundary);
  add_other_types(sink);
  add_other_types_of_repeats(sink);
  add_beyond_limits(sink);
  add_refused_after_taken(sink);
}

}  // namespace certile::conformance
