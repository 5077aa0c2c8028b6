#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Where two tensors of one type and shape differ, bit for bit; padding bits of the last byte do not count.
struct Difference {
  std::int64_t first = 0;  // the first element that is wrong, in row-major order
  std::int64_t wrong = 0;  // how many are
};

// Nothing where every element is right.
std::optional<Difference> difference(const Tensor& expected, const Tensor& seen);

// "element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs".
std::string describe(const Difference& found, const Tensor& expected, const Tensor& seen);

// True where elements that differ are at their places, but their bits were changed on the way: each is a
// value that the data does not have, or the same number in other bits (another NaN, a zero without its sign,
// a flushed subnormal).  With fill=special it is enough that equal elements were changed alike.  An output
// that holds one value where several are expected is not such a case.
bool only_bits_differ(const Tensor& expected, const Tensor& seen, Fill::Kind fill);

// True where an element of `seen` that is wrong is an element of one of `others`, and not of `expected`: what
// another of several concurrent calls should have given.
bool holds_elements_of(const Tensor& expected, const Tensor& seen, std::span<const Tensor> others);

}  // namespace certile
