#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "reference/values/case.hpp"
#include "reference/values/element_type.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// Scrambles 64 bits, one to one (SplitMix64's step), so that the results of neighbours look unrelated.
constexpr std::uint64_t mix(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111eb;
  return value ^ (value >> 31U);
}

// Returns the bit patterns of a type on which wrong code fails: NaNs with payloads first, infinities, -0,
// subnormals, extremes; of integers extremes and single bits.  At least four; none for boolean, u1, complex
// types and string.
std::span<const std::uint64_t> special_values(ElementType type);

// Returns the empty string, NULs, invalid UTF-8, characters that literals must escape, and sizes around those
// that libraries treat specially.
std::span<const std::string> special_strings();

// Returns the same strings at the same places, but with the outermost characters of two, three and four
// bytes, and a combining one, instead of invalid UTF-8.
std::span<const std::string> special_utf8_strings();

// Returns data of that type and shape for the definition, with elements made by the fill: the same bytes on
// every machine.  The definition matters only to strings: some definitions have UTF-8, others any bytes.
//
// index: untouched memory never looks right, and rows differ.  Element k is the value k + 1 if the type holds
// it exactly (integers of 32 bits and more, f32 up to 2^24, f64).  Beyond that, and in every narrower type,
// element k is a fixed mix of the bits of k: never zero bits, a zero, an infinity or a NaN, and all different
// for as many elements as the type has such patterns.  Complex: (k + 1, -(k + 1)).  Strings: the decimal of k
// + 1 padded beyond 32 bytes, every seventh with a NUL inside.  Some types cannot have all of that: boolean
// and u1 are a fixed sequence of 0 and 1 that begins 1 0 0 1 1 1 0 0 1, and nf4, whose zero is the pattern 7,
// avoids only zero bits.
//
// bits: random bit patterns from the seed; boolean 0 and 1; strings of random length up to 40 bytes, either
// random bytes or random characters of one to four bytes, including NUL.
//
// special: cycles through NaNs with payloads, infinities, -0, subnormals and extremes; integers through
// extremes and single bits; strings through the empty one, NULs, long ones, the outermost characters of two,
// three and four bytes, and, if they may be any bytes, some that are not UTF-8.  The seed is the start of the
// first cycle, and every cycle begins one further on, so that rows differ.  boolean and u1: as index, from
// the seed on.
//
// zero: every element has zero bits; with an odd seed the sign bit as well, where the type has a -0, in both
// parts of complex numbers.  Strings: all empty.
//
// lengthy, spelled "long": strings of 4,095 to 16,777,219 bytes, the seed being the start of a cycle of
// lengths, around those at which 12, 16, 20 and 24 bits end.  Other types: as index.
//
// brief, spelled "short": strings of up to 20 bytes, element k being the decimal of the seed + k, so that
// many have few characters in all.  Other types: as index.
Tensor make_filled(DefinitionId definition, ElementType type, Shape shape, const Fill& fill);

// Returns the fill of the data of one of several concurrent calls: `thread` is added to the seed, and
// fill=index becomes fill=bits for every thread but the first.
Fill fill_of_thread(Fill fill, int thread) noexcept;

// Makes the data of a case, or copies the elements that the case spells out.  With `placement.shape_only` the
// data have no elements.  The bits behind the last packed element are ones, because no one may read them.
// Concurrent calls of one case have separate data, see fill_of_thread.
Tensor data_of(const Case& question, int thread = 0);

}  // namespace certile
