// The one primitive that all tilings are made of: each of some blocks, so many times.
// For inclusion once per instruction set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_REPEAT_EACH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_REPEAT_EACH_INL_HPP
#undef CERTILE_KERNEL_REPEAT_EACH_INL_HPP
#else
#define CERTILE_KERNEL_REPEAT_EACH_INL_HPP
#endif

#include "backends/kernel/fill-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile {
namespace HWY_NAMESPACE {

// Blocks that one shuffle fits, each a few vectors long in the output.  Every vector is stored whole: what
// goes beyond a block is overwritten by the next.  Returns how many blocks it wrote; the last ones, behind
// which nothing may be read or written, are left to the caller.
HWY_INLINE Size repeat_each_shuffled(Byte* to, const Byte* from, Size blocks, Size size, Size repeats) {
  const Wide wide;
  const Size width = hn::Lanes(wide);
  const Byte* const indices = ramps[size].data();
  const Size made = size * repeats;
  const Size beyond_made = (made + width - 1) / width * width - made;
  const Size beyond_read = longest_shuffle - size;
  const Size unsafe_made = (beyond_made + made - 1) / made, unsafe_read = (beyond_read + size - 1) / size;
  const Size unsafe = unsafe_made > unsafe_read ? unsafe_made : unsafe_read;
  if (blocks <= unsafe) return 0;
  const Size safe = blocks - unsafe, step = width % size;
  for (Size block = 0; block < safe; ++block) {
    const auto pattern = load_pattern(from + block * size, size, longest_shuffle);
    Byte* const row = to + block * made;
    Size phase = 0;
    for (Size at = 0; at < made; at += width) {
      hn::StoreU(shuffle(pattern, hn::LoadU(wide, indices + phase)), wide, row + at);
      phase += step;
      phase = phase >= size ? phase - size : phase;
    }
  }
  return safe;
}

// Writes each of `blocks` consecutive blocks of `size` bytes `repeats` times.
HWY_INLINE void repeat_each(Byte* HWY_RESTRICT to, const Byte* HWY_RESTRICT from, Size blocks, Size size,
                            Size repeats) {
  const Size made = size * repeats;
  if (repeats == 1) return copy(to, from, blocks * size);
  Size block = 0;
  if (size <= longest_shuffle && made < 512) block = repeat_each_shuffled(to, from, blocks, size, repeats);
  for (; block < blocks; ++block)
    fill(to + block * made, made, from + block * size, size, 0);
}

}  // namespace HWY_NAMESPACE
}  // namespace certile
HWY_AFTER_NAMESPACE();
#endif
