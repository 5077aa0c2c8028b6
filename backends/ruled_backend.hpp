#pragma once
#include <utility>
#include <vector>

#include "backends/backend.hpp"
#include "backends/shape_rules.hpp"

namespace certile {

// A backend of this tree that differs from others only in how it moves elements: the shape rules, the
// refusals and the limits of the claim are settled here.
class RuledBackend : public Backend {
 public:
  Description describe() const final { return claim_; }
  Result<Shape> infer(const Call& call) final;
  Result<Filled> run(const Call& call, MutableTensorView out) final;

 protected:
  explicit RuledBackend(Description claim) : claim_(std::move(claim)) {}

 private:
  // Fills `out`, which has elements.  The axes are those of the output; the data is row-major in their
  // dimensions. May throw std::bad_alloc.
  virtual void move_elements(const std::vector<Axis>& axes, TensorView data, MutableTensorView out) = 0;

  struct Ruled {
    std::vector<Axis> axes;
    Shape output;
  };
  Result<Ruled> ruling(const Call& call) const;

  Description claim_;
};

// Every type that some operator accepts for repeats, tiles or axis: what the shape rules here can read.
std::vector<ElementType> readable_repeats_types();

}  // namespace certile
