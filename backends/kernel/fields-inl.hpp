// Rows of bits that do not end on bytes, each repeated a few times.  Eight rows, a group, begin and end on
// bytes, in the data and in the output, so all groups are moved alike: a byte of the output is a field of
// eight bits of the data, or the end of one and the beginning of another where two copies meet.  A field is
// cut out of two bytes by a shuffle and a multiplication.  For inclusion once per instruction set, by
// tile_bytes.cpp.
#if defined(CERTILE_KERNEL_FIELDS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_FIELDS_INL_HPP
#undef CERTILE_KERNEL_FIELDS_INL_HPP
#else
#define CERTILE_KERNEL_FIELDS_INL_HPP
#endif

#include "backends/kernel/bit_rows.hpp"
#include "backends/kernel/shuffle-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// As wide as a shuffle.
using Fields = hn::CappedTag<Byte, longest_shuffle>;
using FieldPairs = hn::RepartitionToWide<Fields>;

HWY_INLINE hn::Vec<Fields> shuffle_fields(hn::Vec<Fields> data, hn::Vec<Fields> places) {
#if HWY_TARGET == HWY_AVX3_DL
  return shuffle(data, places);
#else
  return hn::TableLookupBytes(data, places);
#endif
}

// A walk over the fields of a group's output, byte by byte.
class FieldWalk {
 public:
  explicit FieldWalk(const BitRows& rows)
      : run_(static_cast<std::int64_t>(rows.run)), made_(run_ * static_cast<std::int64_t>(rows.repeats)) {}

  // Returns the bits of the byte that belong to the copy of a row in which it begins; 8 or more: all of them.
  std::int64_t left() const noexcept { return run_ - in_run_; }
  // Returns the bit of the group's data with which the byte begins.
  std::int64_t first() const noexcept { return row_ * run_ + in_run_; }
  // Returns the bit from which a field has its end right behind the seam of copies.
  std::int64_t second() const noexcept {
    return (in_row_ + left() == made_ ? row_ + 1 : row_) * run_ - left();
  }
  void next() noexcept {
    in_row_ += 8;
    in_run_ += 8;
    if (in_row_ >= made_) {
      in_row_ -= made_;
      in_run_ = in_row_;
      ++row_;
    }
    while (in_run_ >= run_)
      in_run_ -= run_;
  }

 private:
  std::int64_t run_, made_;                         // bits of a row, and of all its copies
  std::int64_t row_ = 0, in_row_ = 0, in_run_ = 0;  // where the byte begins
};

// The way in which one vector of a group's output is made of the data.  The fields of even and of odd bytes
// of the output are cut out apart, each in the upper half of 16 bits.
struct FieldVector {
  static constexpr Size most = 64;
  struct Cut {
    HWY_ALIGN Byte even[most], odd[most];  // places of two bytes each, the lower half first
    HWY_ALIGN std::uint16_t even_factor[most / 2], odd_factor[most / 2];
  };
  Cut first, second;          // of the bits up to the seam, and behind it
  HWY_ALIGN Byte mask[most];  // the bits before the seam
  std::int64_t base;          // of the places, in bytes from the group's data on

  // Sets the place and the factor that cut out the eight bits from `bit` of the data on.
  static HWY_INLINE void set(Byte* places, std::uint16_t* factor, std::int64_t bit, bool high_bit_first) {
    const auto place = static_cast<Byte>(bit / 8);
    const auto skipped = static_cast<unsigned>(bit % 8);
    places[high_bit_first ? 1 : 0] = place;
    places[high_bit_first ? 0 : 1] = static_cast<Byte>(place + 1);
    *factor = static_cast<std::uint16_t>(1U << (high_bit_first ? skipped : 8 - skipped));
  }
  static HWY_INLINE void set(Cut& cut, Size byte, std::int64_t bit, bool high_bit_first) {
    const Size pair = byte / 2;
    if (byte % 2 == 0)
      set(cut.even + 2 * pair, cut.even_factor + pair, bit, high_bit_first);
    else
      set(cut.odd + 2 * pair, cut.odd_factor + pair, bit, high_bit_first);
  }

  // Sets all for the next `size` bytes of the walk.  Returns false if their data does not fit a shuffle.
  bool make(FieldWalk& walk, Size size, bool high_bit_first) {
    std::int64_t firsts[most], seconds[most], least = INT64_MAX, largest = 0;
    for (Size byte = 0; byte < size; ++byte, walk.next()) {
      const std::int64_t left = walk.left();
      firsts[byte] = walk.first();
      seconds[byte] = left < 8 ? walk.second() : firsts[byte];
      const unsigned ones = left < 8 ? (high_bit_first ? 0xFFU << (8 - left) : 0xFFU >> (8 - left)) : 0xFFU;
      mask[byte] = static_cast<Byte>(ones);
      const std::int64_t other = seconds[byte];
      least = firsts[byte] < least ? firsts[byte] : least;
      least = other < least ? other : least;
      largest = firsts[byte] > largest ? firsts[byte] : largest;
      largest = other > largest ? other : largest;
    }
    base = (least + 8) / 8 - 1;  // rounded down, because a field may begin before the group
    if (largest / 8 + 2 - base > static_cast<std::int64_t>(longest_shuffle)) return false;
    for (Size byte = 0; byte < size; ++byte) {
      set(first, byte, firsts[byte] - 8 * base, high_bit_first);
      set(second, byte, seconds[byte] - 8 * base, high_bit_first);
    }
    return true;
  }

  static HWY_INLINE hn::Vec<Fields> cut_out(const Cut& cut, hn::Vec<Fields> data) {
    const Fields fields;
    const FieldPairs pairs;
    const auto part = [&](const Byte* places, const std::uint16_t* factors) HWY_ATTR {
      return hn::Mul(hn::BitCast(pairs, shuffle_fields(data, hn::LoadU(fields, places))),
                     hn::LoadU(pairs, factors));
    };
    const auto even = part(cut.even, cut.even_factor), odd = part(cut.odd, cut.odd_factor);
    return hn::BitCast(fields,
                       hn::Or(hn::ShiftRight<8>(even), hn::And(odd, hn::Set(pairs, std::uint16_t{0xFF00}))));
  }

  // Stores the vector, for a group whose data begins at `from`.
  HWY_INLINE void store(const Byte* from, Byte* to) const {
    const Fields fields;
    const auto data = hn::LoadU(fields, from + base), before = hn::LoadU(fields, mask);
    const auto mine = hn::And(cut_out(first, data), before);
    hn::StoreU(hn::Or(mine, hn::AndNot(before, cut_out(second, data))), fields, to);
  }
};

// Returns how many of `groups` are made together, so that most of their vectors' bytes are of the output, and
// the tables, which take as long as some hundred bytes for each of theirs, are used often.
HWY_INLINE Size groups_together(Size made, Size width, Size groups) {
  for (Size together = 1; together <= 8 && together * 32 <= groups; ++together) {
    const Size all = (together * made + width - 1) / width * width;
    if (all * 7 <= together * made * 8 && all <= 8 * width) return together;
  }
  return 1;
}

// Writes groups of rows; see RepeatBits.
HWY_NOINLINE std::uint64_t repeat_bits(const BitRows& rows) noexcept {
  const Size width = hn::Lanes(Fields());
  constexpr Size most_vectors = 16;
  const Size most = most_vectors * width;  // bytes of the output that are made together
  if (rows.run < 7 || rows.run * rows.repeats > most) return 0;
  const Size together = groups_together(rows.run * rows.repeats, width, rows.groups);
  const Size data = together * rows.run, made = data * rows.repeats;
  FieldVector vectors[most_vectors];
  const Size count = (made + width - 1) / width;
  std::int64_t least = INT64_MAX, largest = INT64_MIN;
  FieldWalk walk(rows);
  for (Size index = 0; index < count; ++index) {
    const Size left = made - index * width, size = left < width ? left : width;
    if (size < width) __builtin_memset(static_cast<void*>(&vectors[index]), 0, sizeof vectors[index]);
    if (!vectors[index].make(walk, size, rows.high_bit_first)) return 0;
    least = vectors[index].base < least ? vectors[index].base : least;
    largest = vectors[index].base > largest ? vectors[index].base : largest;
  }
  const auto* from = reinterpret_cast<const Byte*>(rows.from);
  auto* to = reinterpret_cast<Byte*>(rows.to);
  const auto* const end = reinterpret_cast<const Byte*>(rows.to_end);
  const auto* const data_end = reinterpret_cast<const Byte*>(rows.data_end);
  if (rows.from - rows.data + least < 0) return 0;
  std::uint64_t group = 0;
  for (; group + together <= rows.groups; group += together, from += data, to += made) {
    if (end - to < static_cast<std::ptrdiff_t>(count * width)) break;
    if (data_end - from < largest + static_cast<std::ptrdiff_t>(width)) break;
    for (Size index = 0; index < count; ++index)
      vectors[index].store(from, to + index * width);
  }
  return group;
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
