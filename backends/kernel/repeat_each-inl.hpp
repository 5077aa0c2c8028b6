// The one primitive of all tilings: repeats each of some blocks a number of times.
//
//   gathered   a vector of the output holds several blocks: it is one shuffle of a piece of the data
//   shuffled   a shuffle holds the block: all its copies are shuffles of one load
//   held       one to eight vectors hold it, and stay in registers while they are stored over and over
//   filled     all other blocks, one by one
//
// For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_REPEAT_EACH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_REPEAT_EACH_INL_HPP
#undef CERTILE_KERNEL_REPEAT_EACH_INL_HPP
#else
#define CERTILE_KERNEL_REPEAT_EACH_INL_HPP
#endif

#include "backends/kernel/fill-inl.hpp"
#include "backends/kernel/gather-inl.hpp"
#include "backends/kernel/held-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

// The smallest output that repays laying out a cycle.
constexpr Size fewest_gathered = 2048;

// Returns true if storing whole vectors for blocks of this size would waste a quarter of them.
HWY_INLINE bool is_wasteful(Size made) {
  const Size width = hn::Lanes(Wide());
  return made * 4 < (made + width - 1) / width * width * 3;
}

// Returns how many of the first blocks may be read and written up to a vector or a shuffle too far.
HWY_INLINE Size safe_blocks(Size blocks, Size size, Size repeats, Size behind) {
  const Size width = hn::Lanes(Wide());
  const Size beyond = longest_shuffle > width ? longest_shuffle : width;
  const Size to_read = behind < beyond ? (beyond - behind) / size + 1 : 0;
  const Size to_write = width / (size * repeats) + 1;
  const Size unsafe = to_read > to_write ? to_read : to_write;
  return blocks > unsafe ? blocks - unsafe : 0;
}

// Writes each of `blocks` consecutive blocks of `size` bytes `repeats` times.  `behind` bytes after the
// blocks may be read; their values do not matter.
HWY_INLINE void repeat_each(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks, Size size,
                            Size repeats, Size behind, Cycle& cycle) {
  const Size width = hn::Lanes(Wide());
  const Size made = size * repeats;
  if (repeats == 1) return copy(to, from, blocks * size);
  Size done = 0;
  if (size <= longest_shuffle && is_wasteful(made) && blocks * made >= fewest_gathered) {
    lay_out(cycle, size, repeats);
    if (cycle.vectors > 0) done = repeat_each_gathered(to, from, blocks, size, blocks * size + behind, cycle);
  }
  const Size safe = safe_blocks(blocks - done, size, repeats, behind);
  if (size <= longest_shuffle && held_shuffles(size, repeats) <= most_held && safe > 0) {
    repeat_each_shuffled(to + done * made, from + done * size, safe, size, repeats);
    done += safe;
  } else if (size > longest_shuffle && size >= width && size <= most_held * width &&
             (made < shortest_extended || !is_wasteful(size))) {
    return repeat_each_held(to, from, blocks, size, repeats);
  } else if (size > longest_shuffle && size < width && safe > 0) {
    repeat_each_within(to + done * made, from + done * size, safe, size, repeats);
    done += safe;
  }
  for (; done < blocks; ++done)
    fill(to + done * made, made, from + done * size, size, 0, behind + (blocks - done - 1) * size);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
