// The output is written from front to back.  Few elements of several levels, and rows of few elements, are
// moved by the byte kernel, each element in a separate byte.  Another run of few bits goes through a
// register, where one multiplication makes its repeats; a longer one is shifted into place, 32 bytes at a
// time.  The repeats of a level are copied from the output just written, in pieces that double.  At most
// eight repeats are whole bytes, so the rest of a long output is a tiling of these, which the byte kernel
// writes.  A range of the output is cut, level by level, into whole repeats, whole blocks, and parts of a
// block; of one with several repeats of the outermost level, the first is written so, and the others are
// copied.
#include "backends/kernel/tile_packed.hpp"

#include <algorithm>
#include <numeric>

#include "backends/kernel/bit_writer.hpp"

namespace certile::kernel {
namespace {

using backends::TilePlan;

template <bool high_bit_first>
class PackedTiling {
  using Writer = BitWriter<high_bit_first>;
  using Bits = BitWord<high_bit_first>;

 public:
  PackedTiling(const TilePlan& plan, BitSource data, std::byte* to, std::byte* end, const ByteKernel& kernel,
               Stores stores) noexcept
      : levels_(plan.levels()),
        count_(plan.count()),
        run_(plan.run_bits),
        data_(data),
        writer_(to, end),
        kernel_(kernel),
        stores_(stores) {
    if (count_ == 0) return;
    --count_;  // the innermost level repeats the run
    run_repeats_ = levels_[count_].repeats;
    first_repeats_ = 1 + bits_before_copies / run_;
    bits_ = static_cast<unsigned>(std::gcd(run_, std::uint64_t{8}));
    if (run_ > Writer::word_bits) return;
    run_bits_ = static_cast<unsigned>(run_);
    word_repeats_ =
        static_cast<unsigned>(std::min<std::uint64_t>(run_repeats_, Writer::word_bits / run_bits_));
    // Words that are all the same are stored as they are, so copies pay later.
    recurs_in_words_ = 64 % run_bits_ == 0;
    first_repeats_ = std::uint64_t{words_before_copies} * word_repeats_ * (recurs_in_words_ ? 4 : 1);
    for (unsigned repeat = 0; repeat < word_repeats_; ++repeat)
      repeater_ |= std::uint64_t{1} << repeat * run_bits_;
  }

  void tile() noexcept { count_ > 0 ? write_blocks(0, levels_[0]) : write_runs(1, run_repeats_); }

  // Writes the bits [begin, end) of the output, of which begin is the writer's first.  If `period` is not 0,
  // the output recurs after that number of bits, and all but the first period of the range is copied.
  void tile_range(std::uint64_t begin, std::uint64_t end, std::uint64_t period) noexcept {
    const std::uint64_t start = writer_.position();
    const bool is_copied = period > 0 && end - begin > period;
    write_part(0, begin, is_copied ? begin + period : end);
    if (is_copied) repeat_until(start, period, start + (end - begin));
  }

 private:
  using Level = TilePlan::Level;

  // Writes the next blocks of that level, as many, and as often, as `here` says.
  void write_blocks(int level, const Level& here) noexcept {
    std::uint64_t data = run_, made = run_ * run_repeats_, steps = steps_of_run(run_repeats_);
    const auto add = [&](const Level& each) {
      data *= each.extent;
      made *= each.extent * each.repeats;
      steps = steps * each.extent + steps_of_copies;
    };
    for (int inner = count_ - 1; inner > level; --inner)
      add(levels_[inner]);
    add(here);
    if (are_quick(data, made, steps)) return write_elements(here, level + 1, run_repeats_, data, made);
    const std::uint64_t begin = writer_.position();
    if (level + 1 == count_)
      write_runs(here.extent, run_repeats_);
    else
      for (std::uint64_t block = 0; block < here.extent; ++block)
        write_blocks(level + 1, levels_[level + 1]);
    const std::uint64_t block = writer_.position() - begin;
    repeat_until(begin, block, begin + block * here.repeats);
  }

  // Writes the bits [begin, end) of the next block of the level above.
  void write_part(int level, std::uint64_t begin, std::uint64_t end) noexcept {
    if (level > count_) return writer_.append(data_, position_ + begin, end - begin);
    const std::uint64_t origin = position_, extent = level == count_ ? 1 : levels_[level].extent;
    std::uint64_t data = run_, made = run_;  // bits of a block of this level
    for (int inner = level + 1; inner <= count_; ++inner) {
      data *= inner == count_ ? 1 : levels_[inner].extent;
      made *= inner == count_ ? run_repeats_ : levels_[inner].extent * levels_[inner].repeats;
    }
    while (begin < end) {
      const std::uint64_t block = begin / made % extent, inside = begin % made;
      const std::uint64_t blocks = (end - begin) / made;
      position_ = origin + block * data;
      std::uint64_t written = std::min(end - begin, made - inside);
      if (inside > 0 || blocks == 0) {
        write_part(level + 1, inside, inside + written);
      } else {
        const Level whole = block > 0 || blocks < extent ? Level{1, std::min(blocks, extent - block)}
                                                         : Level{blocks / extent, extent};
        written = whole.repeats * whole.extent * made;
        if (level == count_)
          write_runs(1, whole.repeats);
        else
          write_blocks(level, whole);
      }
      begin += written;
    }
  }

  // Returns the steps that write a run's first repeats; the rest are copies.
  std::uint64_t steps_of_run(std::uint64_t repeats) const noexcept {
    return run_bits_ > 0 ? 1 : std::min(repeats, first_repeats_);
  }

  // Returns true if `made` bits of the output, made of `data` bits in `steps` steps bit by bit, are written
  // sooner as elements in bytes.  Worth a quarter of the speed up to 4 KiB, a tenth up to 1 MiB.
  bool are_quick(std::uint64_t data, std::uint64_t made, std::uint64_t steps) const noexcept {
    return steps >= fewest_steps && data <= std::uint64_t{most_data} * bits_ &&
           made <= std::min<std::uint64_t>(most_made, steps * elements_for_step) * bits_;
  }

  // Writes `made` bits, of the next blocks that `outermost` counts and of the levels from `inner` on, as
  // elements in bytes.  A run has whole elements, so every place begins with one.
  void write_elements(const Level& outermost, int inner, std::uint64_t run_repeats, std::uint64_t data,
                      std::uint64_t made) noexcept {
    alignas(64) std::byte elements[most_data + 192], output[most_made + 192];
    const std::byte* const from = data_.begin + position_ / 8;
    const std::uint64_t skipped = position_ % 8 / bits_, bytes = (position_ % 8 + data + 7) / 8;
    std::memcpy(elements, from, bytes);
    kernel_.unpack(elements, bytes, bits_, high_bit_first);

    const std::uint64_t before = writer_.filled() / bits_, all = before + made / bits_;
    output[0] = writer_.unfinished();
    kernel_.unpack(output, 1, bits_, high_bit_first);
    TilePlan plan;
    backends::Fusing fusing(plan, 8 * run_ / bits_);
    fusing.add(1, run_repeats);
    for (int level = count_ - 1; level >= inner; --level)
      fusing.add(levels_[level].extent, levels_[level].repeats);
    fusing.add(outermost.extent, outermost.repeats);
    fusing.finish(8 * made / bits_);
    kernel_.tile(plan, elements + skipped, output + before);
    std::memset(output + all, 0, 8);  // the missing elements of the last byte
    kernel_.pack(output, all, bits_, high_bit_first);
    writer_.write_again(output, writer_.filled() + made);
    position_ += data;
  }

  // Writes consecutive runs, each that often, in the way that takes the fewest steps: as elements in bytes;
  // or short runs in a register, and long ones by shifting them.
  void write_runs(std::uint64_t runs, std::uint64_t repeats) noexcept {
    const std::uint64_t made = run_ * repeats;
    const std::uint64_t most = std::min(most_data * bits_ / run_, most_made * bits_ / made);
    const std::uint64_t now = std::min(runs, most);
    if (are_quick(now * run_, now * made, now * steps_of_run(repeats))) {
      for (; runs > 0; runs -= std::min(runs, most)) {
        const std::uint64_t few = std::min(runs, most);
        write_elements({1, few}, count_, repeats, few * run_, few * made);
      }
    } else if (run_bits_ == 0) {
      write_each(runs, repeats, [this](Writer& writer, std::uint64_t times) {
        for (; times > 0; --times)
          writer.append(data_, position_, run_);
      });
    } else if (recurs_in_words_ && std::min(repeats, first_repeats_) * run_ >= 64) {
      write_each(runs, repeats,
                 [this](Writer& writer, std::uint64_t times) { write_same_words(writer, times); });
    } else {
      write_each(runs, repeats,
                 [this](Writer& writer, std::uint64_t times) { write_short_run(writer, times); });
    }
  }

  // Writes consecutive runs by `write(writer, times)`.  The first repeats come from the data, because
  // recently stored output is slow to load at another alignment; many others are copies of these.
  void write_each(std::uint64_t runs, std::uint64_t repeats, const auto& write) noexcept {
    if (repeats > first_repeats_) {
      for (; runs > 0; --runs, position_ += run_) {
        const std::uint64_t begin = writer_.position();
        write(writer_, first_repeats_);
        repeat_until(begin, run_, begin + run_ * repeats);
      }
      return;
    }
    Writer writer = writer_;  // a copy, which stays in registers, because all calls are inlined
    for (; runs > 0; --runs, position_ += run_)
      write(writer, repeats);
    writer_ = writer;
  }

  // Returns as many repeats of the next run as fit in a word.
  std::uint64_t next_word() const noexcept {
    const std::uint64_t run = data_.bits<high_bit_first>(position_, run_bits_);
    return Bits::of_number(Bits::number(run, run_bits_) * repeater_, word_repeats_ * run_bits_);
  }

  void write_same_words(Writer& writer, std::uint64_t repeats) const noexcept {
    const std::uint64_t word = next_word();
    writer.append_repeats(word | Bits::after_zeros(word, word_repeats_ * run_bits_), repeats * run_);
  }

  void write_short_run(Writer& writer, std::uint64_t repeats) const noexcept {
    const unsigned bits = word_repeats_ * run_bits_;
    const std::uint64_t word = next_word();
    for (; repeats >= word_repeats_; repeats -= word_repeats_)
      writer.append(word, bits);
    if (repeats == 0) return;
    const unsigned rest = static_cast<unsigned>(repeats) * run_bits_;
    writer.append(Bits::first(word, rest), rest);
  }

  // Extends the output written since `begin`, a block of `block` bits and some repeats, to `end`.
  void repeat_until(std::uint64_t begin, std::uint64_t block, std::uint64_t end) noexcept {
    const std::uint64_t whole = block * 8 / std::gcd(block, std::uint64_t{8});  // the repeats that are bytes
    for (std::uint64_t at = writer_.position(); at < end; at = writer_.position()) {
      if (at - begin >= whole && end - at >= fewest_tiled)
        tile_bytes(whole / 8, end - at);
      else
        writer_.append(writer_.written(), begin, std::min((at - begin) / block * block, end - at));
    }
  }

  // Appends `bits` bits, a tiling of the last `period` bytes that were written.
  void tile_bytes(std::uint64_t period, std::uint64_t bits) noexcept {
    writer_.append_by(period, bits, [&](const std::byte* from, std::byte* to, std::uint64_t bytes) {
      TilePlan plan;
      backends::Fusing fusing(plan, 8);
      fusing.add(period, bytes / period + 1);
      fusing.finish(8 * period * (bytes / period + 1));
      const bool is_long = bytes >= shortest_streamed;
      kernel_.tile_range(plan, from, to, 0, bytes, is_long ? stores_ : Stores::ordinary);
    });
  }

  // What is made of the data before copies of it: words of a short run, bits of a long one.  The copies are
  // worth a quarter of the speed from 4 KiB on, each of the two.
  static constexpr int words_before_copies = 16;
  static constexpr std::uint64_t bits_before_copies = 2048;
  static constexpr unsigned most_data = 4096, most_made = 16384;  // elements that are in bytes at a time
  // A short run with the repeats that registers make is a step, and so is each repeat of a long run; copying
  // the repeats of a level takes some.
  static constexpr unsigned fewest_steps = 12, steps_of_copies = 3, elements_for_step = 128;
  static constexpr std::uint64_t fewest_tiled = 8 * 2048;      // bits that repay a call of the byte kernel
  static constexpr std::uint64_t shortest_streamed = 8 << 10;  // bytes; fewer have too many unfinished lines

  const Level* levels_;
  int count_;  // of levels outside the runs
  std::uint64_t run_, run_repeats_ = 1;
  std::uint64_t first_repeats_ = 1;  // those that are made of the data
  bool recurs_in_words_ = false;
  unsigned run_bits_ = 0, word_repeats_ = 0;  // of runs that fit in a word; otherwise 0
  std::uint64_t repeater_ = 0;                // times a run: as many repeats as fit in a word
  unsigned bits_ = 8;                         // the largest of 1, 2, 4 and 8 that every run is a multiple of
  BitSource data_;
  std::uint64_t position_ = 0;  // in the data
  Writer writer_;
  const ByteKernel& kernel_;
  Stores stores_;
};

}  // namespace

std::uint64_t copied_period(const TilePlan& plan) noexcept {
  constexpr std::uint64_t least = std::uint64_t{8} << 11, most = std::uint64_t{8} << 20;
  if (plan.run_bits % 8 == 0 || plan.count() < 2) return 0;
  const std::uint64_t period = plan.output_bits / plan.levels()[0].repeats;
  return period >= least && period <= most ? period : 0;
}

void tile_packed(const TilePlan& plan, bool high_bit_first, const std::byte* from, std::byte* to,
                 std::uint64_t begin, std::uint64_t end, const ByteKernel& kernel, Stores stores) noexcept {
  if (begin == end) return;
  const BitSource data{from, from + (plan.data_bits() + 7) / 8};
  const auto tile = [&](auto tiling) {
    const std::uint64_t end_bit = std::min(8 * end, plan.output_bits);
    if (begin == 0 && end_bit == plan.output_bits)
      tiling.tile();
    else
      tiling.tile_range(8 * begin, end_bit, copied_period(plan));
  };
  if (high_bit_first)
    tile(PackedTiling<true>(plan, data, to + begin, to + end, kernel, stores));
  else
    tile(PackedTiling<false>(plan, data, to + begin, to + end, kernel, stores));
}

}  // namespace certile::kernel
