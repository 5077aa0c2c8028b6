#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// A difference between two tensors of one type and shape, bit for bit, without padding bits.
struct Difference {
  std::int64_t first = 0;  // the index of the first wrong element, in row-major order
  std::int64_t wrong = 0;  // the number of wrong elements
};

// Returns the place along each axis of element `index` of a tensor of that shape.
Shape places_of(const Shape& shape, std::int64_t index);

// Returns nothing if every element is right.
std::optional<Difference> difference(const Tensor& expected, const Tensor& seen);

// The texts of an element of two tensors.
struct ElementTexts {
  std::string expected, seen;
};
// Returns the texts of two strings, in quotes, each cut to about `limit` bytes around their first difference.
ElementTexts texts_of_strings(const Tensor& expected, const Tensor& seen, std::int64_t index,
                              std::size_t limit);

// A tensor of which two others are a piece.
struct Whole {
  const Shape& shape;
  std::int64_t first;  // the index of the piece's first element
  std::int64_t wrong;  // the number of wrong elements of all pieces
};

// Returns "element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs", or "element [3,5] was
// not written, expected …" if `unwritten`, which may be empty, has that element.  Unwritten elements count as
// different, because they are right by chance at most.  With `whole`, the tensors are a piece of it.
std::string describe(const Difference& found, const Tensor& expected, const Tensor& seen,
                     const std::vector<bool>& unwritten = {}, const Whole* whole = nullptr);

// Returns true if wrong elements are at their places, but with changed bits: each is a value that the data
// does not have, or the same number in other bits (another NaN, a zero without its sign, a flushed
// subnormal).  With fill=special it is enough that equal elements were changed alike.  False for an output
// that holds one value although several are expected.
bool only_bits_differ(const Tensor& expected, const Tensor& seen, Fill::Kind fill);

// Returns true if a wrong element of `seen` is an element of one of `others`, the outputs expected of the
// other concurrent calls, and not of `expected`.
bool holds_elements_of(const Tensor& expected, const Tensor& seen, std::span<const Tensor> others);

}  // namespace certile::conformance
