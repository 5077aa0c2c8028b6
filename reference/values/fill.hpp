#pragma once
#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Data of that type and shape for the definition, whose elements come from the fill: the same bytes on every
// machine.  The definition matters to strings alone: some have UTF-8, others any bytes.
//
// index: untouched memory never looks right, and rows differ.  Element k is the value k + 1 where the type
// holds it exactly (integers of 32 bits and more, f32 up to 2^24, f64).  Beyond that, and in every narrower
// type, it is a fixed mix of the bits of k: never zero bits, never a zero, an infinity or a NaN, and all
// different for as many elements as the type has such patterns.  Complex: (k + 1, -(k + 1)).  Strings: the
// decimal of k + 1 padded beyond 32 bytes, every seventh with a NUL inside.  Some types cannot promise all of
// that: boolean and u1 are a fixed sequence of 0 and 1 that begins 1 0 0 1 1 1 0 0 1, and nf4, whose zero is
// the pattern 7, avoids zero bits alone.
//
// bits: random bit patterns from the seed; boolean 0 and 1; strings of random length up to 40 bytes, which
// are random, or encode random characters of one to four bytes, NUL among them.
//
// special: cycles through NaNs with payloads, infinities, -0, subnormals and extremes; integers through
// extremes and single bits; strings through the empty one, NULs, long ones, the outermost characters of two,
// three and four bytes, and, where they may be any bytes, some that are not UTF-8.  The seed says where to
// start, and every cycle begins one further on, so that rows differ.  boolean and u1: as index, from the seed
// on.
Tensor make_filled(DefinitionId definition, ElementType type, Shape shape, const Fill& fill);

// Returns how the data of one of several concurrent calls are filled: `thread` is added to the seed, and
// fill=index becomes fill=bits for every thread but the first.
Fill fill_of_thread(Fill fill, int thread) noexcept;

// Makes the data of a case, or copies the elements that it spells out.  With `placement.shape_only` the data
// have no elements.  Concurrent calls of one case have data of their own, see fill_of_thread.
Tensor data_of(const Case& question, int thread = 0);

}  // namespace certile
