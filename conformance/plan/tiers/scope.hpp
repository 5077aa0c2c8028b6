#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "conformance/plan/tiers/draft.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// The intersection of one definition's text and the claim, which generators may vary freely.
class Scope {
 public:
  Scope(DefinitionId definition, const Claim& claim);

  DefinitionId definition() const noexcept { return definition_; }
  // Returns true if nothing of the definition is claimed.
  bool empty() const noexcept { return types_.empty(); }

  // Returns the claimed types that the definition's text has, in the order of the enumeration; the same by
  // width of an element (strings separately); and its claimed types of repeats, i64 first.
  const std::vector<ElementType>& types() const noexcept { return types_; }
  const std::vector<std::vector<ElementType>>& widths() const noexcept { return widths_; }
  const std::vector<ElementType>& repeats_types() const noexcept { return repeats_types_; }

  // Returns true if the text has the type, claimed or not.
  bool in_text(ElementType type) const noexcept;
  // Returns true if the text has the type for repeats (onnx-tile-1: for tiles), claimed or not.
  bool in_text_for_repeats(ElementType type) const noexcept;

  // Returns true if the claim states limits.
  bool has_limits() const noexcept;
  const Claim& claim() const noexcept { return claim_; }

  // Returns the cases of a draft under this definition: one, or none if they exceed the claim's limits or
  // types of repeats.  For onnx-tile-1 one for each repeated axis, or for the first axis if nothing is
  // repeated.
  std::vector<Case> cases_of(const Draft& draft) const;

  // Returns true if data and output are within the claim's limits; a refused case has no output.
  bool within_limits(const Case& question) const;

  // Adapts a case that was written for other claims: replaces a type that is not claimed by the first claimed
  // one that spells the elements alike.  Returns nothing if the case does not fit the claim.
  std::optional<Case> fitted(const Case& question) const;

 private:
  bool within_limits(ElementType type, const Shape& shape, const Shape& repeats) const noexcept;
  std::optional<ElementType> repeats_type(ElementType data, const Shape& values, std::uint64_t variety) const;
  std::optional<Case> along(const Draft& draft, std::int64_t tiles, std::int64_t axis,
                            std::uint64_t variety) const;

  DefinitionId definition_;
  Claim claim_;
  std::vector<ElementType> types_;
  std::vector<std::vector<ElementType>> widths_;
  std::vector<ElementType> repeats_types_;
};

// Returns true if the type is one of them.
inline bool contains(const std::vector<ElementType>& types, ElementType type) {
  return std::ranges::find(types, type) != types.end();
}

// Returns a value that every type has, one if the type has it, as a literal spells it.
std::string one_spelled(ElementType type);

// Returns the case with repeats spelled as given; for onnx-tile-1 `repeats` are tiles, along axis 0.
Case spelled_case(DefinitionId definition, ElementType type, Shape shape, ElementType repeats_type,
                  const std::vector<std::string>& repeats);

}  // namespace certile::conformance
