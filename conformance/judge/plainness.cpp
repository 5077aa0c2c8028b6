#include "conformance/judge/plainness.hpp"

#include <limits>

#include "conformance/judge/case_traits.hpp"

namespace certile::conformance {

Plainness plainness_of(const Case& question, const std::string& literal) {
  Plainness plainness;
  plainness.length = literal.size();
  plainness.literal = literal;
  const CaseTraits traits = traits_of(question);
  const ElementType type = question.data.type();
  constexpr std::size_t longest_at_sight = 200;
  plainness.has_fill = question.fill != Fill{} || literal.size() > longest_at_sight;
  plainness.is_empty = traits.empty_data || traits.zero;
  plainness.axes = question.data.shape().size();
  plainness.elements =
      element_count(question.data.shape()).value_or(std::numeric_limits<std::int64_t>::max());
  plainness.is_rare_type = type != ElementType::f32 && type != ElementType::u8 && type != ElementType::i32 &&
                           type != ElementType::i64;
  return plainness;
}

Plainness plainness_of(const std::string& literal) {
  if (const auto question = parse_case(literal)) return plainness_of(*question, literal);
  Plainness plainness;
  plainness.is_unreadable = true;
  plainness.length = literal.size();
  plainness.literal = literal;
  return plainness;
}

}  // namespace certile::conformance
