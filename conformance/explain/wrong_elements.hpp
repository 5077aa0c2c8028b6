#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/values/tensor.hpp"

namespace certile::conformance {

// An output with wrong elements, next to the expected one of the same type and shape.
struct WrongElements {
  Tensor expected, seen;
  Tensor data;                      // the input; its shape has leading ones, up to the rank of the output
  std::vector<std::int64_t> wrong;  // the indices of the wrong elements, rising; never empty
  std::vector<bool> unwritten;      // the elements that were not written; empty: all were

  const Shape& shape() const noexcept { return expected.shape(); }
  std::int64_t count() const noexcept { return expected.count(); }
  bool is_unwritten(std::int64_t index) const {
    const auto at = static_cast<std::size_t>(index);
    return at < unwritten.size() && unwritten[at];
  }
  // Returns the number of copies along an axis.
  std::int64_t copies(std::size_t axis) const { return shape()[axis] / data.shape()[axis]; }
};

// Compares the two; unwritten elements are wrong.  Returns nothing if no element is wrong, if type or shape
// differ, if the output is not made of whole copies of the data, or if it has more elements than a person
// waits for.
std::optional<WrongElements> wrong_elements_of(const Tensor& expected, const Tensor& seen, const Tensor& data,
                                               std::vector<bool> unwritten);

// Returns the bits of an element, or its characters, to compare it with others.
std::string element_key(const Tensor& tensor, std::int64_t index);

}  // namespace certile::conformance
