#pragma once
#include "reference/case.hpp"
#include "reference/tensor.hpp"

namespace certile {

// A tensor of that type and shape whose elements come from the fill: the same bytes on every machine.
//   index    element k is the value k + 1 where the type holds it exactly (integers of 32 bits and more, f32
//   up to
//            2^24, f64); beyond that, and in every narrower type, a fixed mix of the bits of k, never zero
//            and never a NaN; complex (k + 1, -(k + 1)); boolean 0 and 1; strings the decimal of k + 1 padded
//            beyond 32 bytes, every seventh with a NUL inside.  So untouched memory never looks right, and
//            rows differ.
//   bits     random bit patterns from the seed; boolean 0 and 1; strings random bytes of random length
//   special  cycles through NaNs with payloads, infinities, -0, subnormals and extremes; integers through
//   extremes and
//            single bits; strings through the empty one, NULs, invalid UTF-8 and long ones; the seed says
//            where to start
Tensor make_filled(ElementType type, Shape shape, const Fill& fill);

}  // namespace certile
