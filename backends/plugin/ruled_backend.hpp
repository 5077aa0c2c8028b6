#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "backends/plugin/backend.hpp"
#include "backends/shape/shape_rules.hpp"

namespace certile {

// A backend of this tree that differs from the others only in how it moves elements.  This class applies the
// shape rules, the refusals and the limits of the claim.
class RuledBackend : public Backend {
 public:
  Description describe() const final { return claim_; }
  Result<Shape> infer(const Call& call) final;
  Result<Filled> run(const Call& call, MutableTensorView out) final;

 protected:
  explicit RuledBackend(Description claim);

 private:
  // Fills `out`, which has elements.  The axes are those of the output; the data is row-major in their
  // dimensions. May throw std::bad_alloc.
  virtual void move_elements(std::span<const Axis> axes, TensorView data, MutableTensorView out) = 0;

  // The axes of a call's output.  The usual number of axes needs no allocation.
  class Ruled {
   public:
    explicit Ruled(const Call& call);
    const RuledAxes& rules() const noexcept { return rules_; }
    std::span<const Axis> axes() const noexcept {
      return {many_.empty() ? few_ : many_.data(), rules_.count};
    }

   private:
    RuledAxes rule(const Call& call);

    static constexpr std::size_t usual = 16;
    Axis few_[usual];
    std::vector<Axis> many_;
    RuledAxes rules_;
  };

  // Returns true for nearly every call, without forming a message: accepted, of a type it moves, no limits.
  bool is_plain(const Ruled& ruled, ElementType type) const noexcept {
    return ruled.rules().status == CERTILE_OK && moves_[static_cast<std::size_t>(type)] && !has_limits_;
  }

  // Returns why the call is not for this backend.
  std::optional<Error> refusal(const Ruled& ruled, ElementType type) const;

  Description claim_;
  std::array<bool, element_type_count> moves_{};  // by the number of the type
  bool has_limits_;
};

// Returns every type that a definition accepts for repeats, tiles or axis, which the shape rules can read.
std::vector<ElementType> readable_repeats_types();

}  // namespace certile
