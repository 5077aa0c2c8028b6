#pragma once
#include <cstdint>
#include <vector>

#include "conformance/plan/tiers/sink.hpp"

namespace certile::conformance {

// A receiver of drafts about sizes, lengths and addresses.  These try the kernel, so that one definition each
// is enough; the definitions take turns.
class KernelCases {
 public:
  // Adds to `cases`, which outlive these, as `scopes` do.
  KernelCases(const std::vector<Scope>& scopes, Cases& cases);

  // Sets the generator of the next drafts.
  void begin(Generator generator) noexcept { cases_.begin(generator); }
  // Returns the widths of an element, in bits, that a claimed type of any definition has, packed ones first;
  // strings are not among them.
  const std::vector<int>& widths() const noexcept { return widths_; }

  // Adds the draft, whose type is chosen from those of `width` bits, under one of the definitions that have
  // one and take all repeats at once.  Every fourth draft that repeats a single axis is added under a
  // definition with an axis too, and every draft if no other definition is claimed.
  void add(int width, Draft draft);
  // Does so for a type of real numbers; adds nothing if no claimed type of that width is one.
  void add_real(int width, Draft draft);

 private:
  // Whether a type may be chosen.
  using Suits = bool (*)(ElementType type);
  void add_suited(int width, Draft draft, Suits suits);
  void add_under(const std::vector<const Scope*>& scopes, int width, Draft& draft, Suits suits);

  std::vector<const Scope*> with_all_repeats_, with_axis_;
  Cases& cases_;
  std::vector<int> widths_;
  std::uint64_t number_ = 0;
};

// The generators of what depends on the kernel and hardly on the definition, one file each: every case is
// asked under one of the definitions.  The cases are found by rule, so that a kernel meets the sizes at which
// it changes its way, whichever they are.

// Adds outputs of a little more than each power of two of bytes, and inputs that are repeated and exceed
// each, up to `most` bytes: kernels take another way beyond the size of a cache, a page or a piece of work.
void add_thresholds(KernelCases& kernel, std::int64_t most);

// Adds packed data of a little less than a mebibyte, different for each `number`: copied to a stack of a
// mebibyte, as every second process has, they leave no room for the rest.
void add_packed_mebibyte(KernelCases& kernel, std::int64_t number);

// Adds one element repeated to 8 and 16 MiB, in widths of 8 to 64 bits: a fill may count its vectors in 16
// bits, in each of several parts.
void add_large_fills(KernelCases& kernel);

// Adds tilings in which a derived number passes 2^8, 2^15, 2^16 and so on up to `most`, although no dimension
// and no repeat does: a product of repeats, of dimensions in front of or behind a repeated axis, a row, a
// count of copies.
void add_products(KernelCases& kernel, std::int64_t most);

// The lengths that a tier asks.
enum class Lengths { sampled, every };

// Adds a single dimension, or a repeat, of 2^8 on each of four and five axes, and of 2^16 and more on one in
// the middle.  All but the sampled ones add numbers of rows at which kernels that divide them go wrong.
void add_long_middles(KernelCases& kernel, Lengths lengths);

// Adds rows of every length up to a few vectors, periods of every small length with every small count, and
// the lengths that models use.
void add_lengths(KernelCases& kernel, Lengths lengths);

// A number of large concurrent calls: one, or several for each width of an element.
enum class LargeConcurrent { one, several };

// Adds concurrent calls with outputs of some hundred KiB, and more than sixteen calls at once.
void add_large_concurrent(KernelCases& kernel, LargeConcurrent wanted);

// Adds concurrent calls of each way of copying: by three threads, by sixteen that make the first calls of a
// process, and by 17, 33 and 64.
void add_concurrent_regimes(KernelCases& kernel);

// A number of cases for each pattern of axes: one, or one for each width of whole bytes, with rows that are
// repeated and with rows that are not.
enum class AxisPatterns { once, with_every_width };

// Adds rows of 128 bytes and more behind three and four axes, each of which has several elements or one, and
// is repeated or not, in every combination: kernels treat the patterns that models use separately.
void add_axis_patterns(KernelCases& kernel, AxisPatterns wanted);

// Adds 8 to `most` axes of which no two can be merged.
void add_unmergeable_axes(KernelCases& kernel, int most);

// A number of tilings for each width of an element, and the bytes that their outputs have.
struct MixedSizes {
  int count;
  std::int64_t least, most;
};

// Adds tilings of up to five axes, any number of which has elements or is repeated, of outputs of all sizes;
// one number takes what the others leave, so each of them becomes as large as the output allows.  Some begin
// at chosen addresses.
void add_mixed_sizes(KernelCases& kernel, const MixedSizes& wanted);

// The numbers by which a tier lets kernels divide: one for each dimension of five axes, or all.
enum class Divisors { of_five_axes, every };

// Adds 2 to 6 repeated axes of which one, the last or another, has each dimension from 1 to 130, or as many
// elements in the output: kernels find an index by dividing by both, and multiply by a reciprocal instead.
void add_divisors(KernelCases& kernel, Divisors wanted);

// Adds data and outputs whose addresses modulo 64 are chosen separately.
void add_alignments(KernelCases& kernel, Lengths lengths);

}  // namespace certile::conformance
