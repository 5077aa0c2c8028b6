#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/plugin/backend.hpp"
#include "conformance/plan/tiers/draft.hpp"
#include "reference/values/case.hpp"

namespace certile {

// What one definition's text and the claim have in common: what generators may vary freely.
class Scope {
 public:
  Scope(DefinitionId definition, const Description& claim);

  DefinitionId definition() const noexcept { return definition_; }
  // Nothing of the definition is claimed.
  bool empty() const noexcept { return types_.empty(); }

  // The claimed types that the definition's text has, in the order of the enumeration; the same, by width of an
  // element (strings apart); and the claimed types of repeats that it has, i64 first.
  const std::vector<ElementType>& types() const noexcept { return types_; }
  const std::vector<std::vector<ElementType>>& widths() const noexcept { return widths_; }
  const std::vector<ElementType>& repeats_types() const noexcept { return repeats_types_; }

  // The text has the type, claimed or not.
  bool in_text(ElementType type) const noexcept;
  // The text has the type for repeats (onnx-tile-1: for tiles), claimed or not.
  bool in_text_for_repeats(ElementType type) const noexcept;

  // The limits that the claim states.
  bool has_limits() const noexcept;
  const Description& claim() const noexcept { return claim_; }

  // The cases that a draft means here: one, or none where the claim's limits, or its types of repeats, do not
  // reach that far. For onnx-tile-1 one for each repeated axis, or the first axis where nothing is repeated.
  std::vector<Case> cases_of(const Draft& draft) const;

  // True where data and output keep to the claim's limits; a case that is refused has no output.
  bool within_limits(const Case& question) const;

  // Makes a case that was written down for other claims fit this one: where a type is not claimed, the first
  // claimed one that spells the elements alike takes its place.  Nothing where the case cannot be asked
  // within the claim.
  std::optional<Case> fitted(const Case& question) const;

 private:
  bool within_limits(ElementType type, const Shape& shape, const Shape& repeats) const noexcept;
  std::optional<ElementType> repeats_type(ElementType data, const Shape& values, std::uint64_t variety) const;
  std::optional<Case> along(const Draft& draft, std::int64_t tiles, std::int64_t axis,
                            std::uint64_t variety) const;

  DefinitionId definition_;
  Description claim_;
  std::vector<ElementType> types_;
  std::vector<std::vector<ElementType>> widths_;
  std::vector<ElementType> repeats_types_;
};

// A value that every type has, one where the type has it, as a literal spells it.
std::string one_spelled(ElementType type);

// The case with repeats spelled as given; for onnx-tile-1 `repeats` are tiles, along axis 0.
Case spelled_case(DefinitionId definition, ElementType type, Shape shape, ElementType repeats_type,
                  std::vector<std::string> repeats);

}  // namespace certile
