#include "conformance/plan/claim_limits.hpp"

#include <algorithm>

#include "conformance/text/printable.hpp"
#include "reference/oracle/definition.hpp"

namespace certile::conformance {
namespace {

// Returns true if the definition's text has an answer for these types.
bool allows(DefinitionId definition, ElementType data, ElementType repeats) {
  const oracle::Definition& rules = oracle::rules_of(definition);
  return rules.data.says(data, data) == oracle::Says::allowed &&
         rules.repeats.says(repeats, data) == oracle::Says::allowed;
}

// Returns the data types of an implementation without limits.
TypeSet types_of(std::span<const DefinitionId> definitions) {
  TypeSet types;
  for (const ElementType type : all_element_types()) {
    const auto takes = [type](DefinitionId definition) { return allows(definition, type, ElementType::i64); };
    if (std::ranges::any_of(definitions, takes)) types.insert(type);
  }
  return types;
}

// Returns the same for repeats.  Integers narrower than a byte are optional everywhere.
TypeSet repeats_types_of(std::span<const DefinitionId> definitions) {
  TypeSet types;
  for (const ElementType type : all_element_types()) {
    const auto takes = [type](DefinitionId definition) {
      const oracle::Types& types_of_repeats = oracle::rules_of(definition).repeats;
      const bool as_data = types_of_repeats.data_type_too && !types_of_repeats.allowed.contains(type);
      return allows(definition, as_data ? type : ElementType::f32, type);
    };
    const bool is_number = (is_integer(type) || is_real(type)) && !is_packed(type);
    if (is_number && std::ranges::any_of(definitions, takes)) types.insert(type);
  }
  return types;
}

// Returns "f32, i8" or "16 of 25 types"; empty if nothing is missing.
std::string narrower(TypeSet claimed, TypeSet allowed) {
  const TypeSet both = claimed & allowed;
  if (both.size() == allowed.size()) return {};
  if (both.empty()) return "none of " + std::to_string(allowed.size()) + " types";
  if (both.size() <= 3) return joined(names_of<ElementType>(both), ", ");
  return std::to_string(both.size()) + " of " + std::to_string(allowed.size()) + " types";
}

std::vector<std::string> size_limits(const Claim& claim) {
  std::vector<std::string> limits;
  if (claim.max_rank) limits.push_back("rank ≤ " + std::to_string(*claim.max_rank));
  if (claim.max_elements) limits.push_back("elements ≤ " + with_thousands(*claim.max_elements));
  if (claim.max_bytes) limits.push_back("bytes ≤ " + with_thousands(*claim.max_bytes));
  return limits;
}

}  // namespace

std::vector<std::string> claim_limits(const Claim& claim, std::span<const DefinitionId> definitions) {
  std::vector<std::string> limits;
  if (auto types = narrower(claim.types, types_of(definitions)); !types.empty()) limits.push_back(types);
  if (auto types = narrower(claim.repeats_types, repeats_types_of(definitions)); !types.empty()) {
    limits.push_back("repeats " + types);
  }
  for (std::string& limit : size_limits(claim))
    limits.push_back(std::move(limit));
  if (!claim.infers) limits.emplace_back("no shape inference");
  return limits;
}

std::string size_limits_text(const Claim& claim) {
  std::vector<std::string> limits = size_limits(claim);
  if (!claim.infers) limits.emplace_back("no shape inference");
  return limits.empty() ? "none" : joined(limits, ", ");
}

}  // namespace certile::conformance
