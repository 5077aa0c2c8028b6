// Outputs so small that laying anything out would take longer than writing them: depth first, with every
// block loaded from the data, so that no recently written byte is read.  For inclusion once per instruction
// set, by tile_bytes.cpp.
#if defined(CERTILE_KERNEL_SMALL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef CERTILE_KERNEL_SMALL_INL_HPP
#undef CERTILE_KERNEL_SMALL_INL_HPP
#else
#define CERTILE_KERNEL_SMALL_INL_HPP
#endif

#include "backends/kernel/shuffle-inl.hpp"
#include "backends/shape/tile_plan.hpp"

HWY_BEFORE_NAMESPACE();
namespace certile::kernel {
namespace HWY_NAMESPACE {

constexpr Size largest_small = 2048;

struct Small {
  const Byte* data_end;
  Byte* end;  // of the output
  Size run, run_repeats;
  TilePlan::Level row;  // the level outside the innermost; {1, 1} if there is none
  int innermost;
  const TilePlan::Level* levels;  // the plan's
  const Size* data_size;  // for each level, the bytes of the data that one of its inner blocks is made of

  // Fills `sizes`, the room for those; the plan has levels.
  HWY_INLINE Small(const TilePlan& plan, const Byte* from, Byte* to, Size data_bytes, Size output_bytes,
                   Size* sizes)
      : data_end(from + data_bytes),
        end(to + output_bytes),
        run(plan.run_bits / 8),
        run_repeats(plan.levels()[plan.count() - 1].repeats),
        row(plan.count() > 1 ? plan.levels()[plan.count() - 2] : TilePlan::Level{1, 1}),
        innermost(plan.count() - 1),
        levels(plan.levels()),
        data_size(sizes) {
    Size size = run;
    for (int level = innermost; level >= 0; --level) {
      sizes[level] = size;
      size *= levels[level].extent;
    }
  }
};

// Calls `write(to, row)` for each row, a block of the level outside the innermost, in the order of the
// output; `write` returns where the row ends.  It holds vectors by reference, because SVE vectors cannot be
// copied into a closure.
template <class Write>
HWY_INLINE void for_each_row(const Small& small, int outer, Byte* to, const Byte* from, Write write) {
  if (outer <= 0) {
    write(to, from);
    return;
  }
  struct {
    Size times, blocks;        // still to go
    const Byte *first, *here;  // block
  } at[TilePlan::capacity];
  for (int level = 0; level < outer; ++level)
    at[level] = {small.levels[level].repeats, small.levels[level].extent, from, from};
  for (;;) {
    to = write(to, at[outer - 1].here);
    int level = outer - 1;
    for (;; --level) {
      at[level].here += small.data_size[level];
      if (--at[level].blocks > 0) break;
      at[level].blocks = small.levels[level].extent;
      at[level].here = at[level].first;
      if (--at[level].times > 0) break;
      at[level].times = small.levels[level].repeats;
      if (level == 0) return;
    }
    for (; level + 1 < outer; ++level)
      at[level + 1].first = at[level + 1].here = at[level].here;
  }
}

#if HWY_TARGET != HWY_AVX3_DL  // which climbs (climb-inl.hpp)

// Writes the run as often as the innermost level repeats it.  Returns the end of the output written.
HWY_INLINE Byte* write_small_run(const Small& small, Byte* to, const Byte* from) {
  const Wide wide;
  const Size width = hn::Lanes(wide), run = small.run;
  Byte* const made_end = to + run * small.run_repeats;
  if (run > longest_shuffle) {
    for (; to < made_end; to += run)
      copy(to, from, run);
    return made_end;
  }
  const auto pattern = load_pattern(from, run, static_cast<Size>(small.data_end - from));
  const Size step = ramps[run][width - 1] + Size{1};
  Size phase = 0;
  while (static_cast<Size>(made_end - to) >= width) {
    hn::StoreU(shuffle(pattern, indices_from(run, phase)), wide, to);
    to += width;
    phase += step;
    phase = phase >= run ? phase - run : phase;
  }
  if (to == made_end) return made_end;
  const auto last = shuffle(pattern, indices_from(run, phase));
  // The next block, if there is one, overwrites the excess.
  if (static_cast<Size>(small.end - to) >= width)
    hn::StoreU(last, wide, to);
  else
    store_first(last, to, static_cast<Size>(made_end - to));
  return made_end;
}

// Copies a run that ends too close to the end of the data for loading a whole vector.
HWY_NOINLINE const Byte* last_run(Byte* elsewhere, const Byte* from, Size size) {
  copy_short(elsewhere, from, size);
  return elsewhere;
}

// Loads a run of up to 16 bytes for shuffling, from at most `readable` bytes.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_run(const Byte* from, Size size, Size readable) {
  if (HWY_LIKELY(readable >= 16)) return hn::LoadDup128(Tag(), from);
  HWY_ALIGN Byte elsewhere[longest_shuffle];
  return hn::LoadDup128(Tag(), last_run(elsewhere, from, size));
}
template <class Tag>
HWY_INLINE hn::Vec<Tag> shuffle_run(hn::Vec<Tag> bytes, hn::Vec<Tag> indices) {
  return hn::TableLookupBytes(bytes, indices);
}

// Writes the output, each block of the innermost level as `vectors` shuffles of its run.  The last shuffle
// ends where the block does, so nothing is written beyond it.
template <class Tag, Size vectors>
HWY_INLINE void tile_small_runs(const Small& small, Byte* begin, const Byte* from) {
  const Tag tag;
  const Size width = hn::Lanes(tag), run = small.run, made = run * small.run_repeats;
  const Byte* const ramp = ramps[run].data();
  const Size step = ramp[width - 1] + Size{1};
  Size phase = 0, phases[vectors];
  for (Size vector = 0; vector < vectors; ++vector) {
    phases[vector] = phase;
    phase += step;
    phase = phase >= run ? phase - run : phase;
  }
  // The last vector begins earlier by the excess length of the vectors, modulo the run, which divides `made`.
  const Size back = ramp[width];
  phases[vectors - 1] = back == 0 ? 0 : run - back;
  const auto i0 = hn::LoadU(tag, ramp + phases[0]), i1 = hn::LoadU(tag, ramp + phases[vectors > 1 ? 1 : 0]);
  const auto i2 = hn::LoadU(tag, ramp + phases[vectors > 2 ? 2 : 0]);
  const auto last = hn::LoadU(tag, ramp + phases[vectors - 1]);
  const TilePlan::Level row = small.row;
  const Byte* const data_end = small.data_end;
  for_each_row(small, small.innermost - 1, begin, from, [&](Byte* to, const Byte* first) HWY_ATTR {
    for (Size times = row.repeats; times > 0; --times) {
      const Byte* block = first;
      for (Size left = row.extent; left > 0; --left, block += run, to += made) {
        const auto bytes = load_run<Tag>(block, run, static_cast<Size>(data_end - block));
        if constexpr (vectors > 1) hn::StoreU(shuffle_run<Tag>(bytes, i0), tag, to);
        if constexpr (vectors > 2) hn::StoreU(shuffle_run<Tag>(bytes, i1), tag, to + width);
        if constexpr (vectors > 3) hn::StoreU(shuffle_run<Tag>(bytes, i2), tag, to + 2 * width);
        hn::StoreU(shuffle_run<Tag>(bytes, last), tag, to + made - width);
      }
    }
    return to;
  });
}

// Does the same with runs of any length and any number of repeats.
HWY_INLINE void tile_other_small_runs(const Small& small, Byte* begin, const Byte* from) {
  for_each_row(small, small.innermost - 1, begin, from, [&small](Byte* to, const Byte* first) HWY_ATTR {
    for (Size times = small.row.repeats; times > 0; --times)
      for (Size block = 0; block < small.row.extent; ++block)
        to = write_small_run(small, to, first + block * small.run);
    return to;
  });
}

// Writes all of the output.
HWY_INLINE void write_depth_first(const Small& small, Byte* to, const Byte* from) {
  using Half = hn::CappedTag<Byte, 32>;
  const Size made = small.run * small.run_repeats;
  // The number of vectors of this width that a block needs; 0 if one vector is too wide.
  const auto vectors = [made](Size width) { return made >= width ? (made + width - 1) / width : 0; };
  if (small.run <= 16) {
    switch (vectors(hn::Lanes(Half()))) {
      case 1:
        return tile_small_runs<Half, 1>(small, to, from);
      case 2:
        return tile_small_runs<Half, 2>(small, to, from);
      case 3:
        return tile_small_runs<Half, 3>(small, to, from);
      case 4:
        return tile_small_runs<Half, 4>(small, to, from);
      default:
        break;
    }
    if (made >= 16 && made <= 32) return tile_small_runs<Narrow, 2>(small, to, from);
  }
  tile_other_small_runs(small, to, from);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace certile::kernel
HWY_AFTER_NAMESPACE();
#endif
