// The output is written from front to back.  A run of few bits goes through a register, where one
// multiplication makes its repeats; a longer one is shifted into place, 64 bytes at a time.  What a level
// repeats is copied from what was just written, in pieces that double: after eight repeats at most a piece is
// whole bytes, and no longer has to be shifted.
#include "backends/kernel/tile_packed.hpp"

#include <algorithm>

#include "backends/kernel/bit_writer.hpp"

namespace certile {
namespace {

template <bool high_bit_first>
class PackedTiling {
  using Writer = BitWriter<high_bit_first>;
  using Bits = BitWord<high_bit_first>;

 public:
  PackedTiling(const TilePlan& plan, BitSource data, std::byte* to, std::byte* end) noexcept
      : levels_(plan.levels), count_(plan.count), run_(plan.run), data_(data), writer_(to, end) {
    if (count_ == 0) return;
    // The blocks of the innermost level follow one another in the data: they are one run.
    --count_;
    run_ *= levels_[count_].extent;
    run_repeats_ = levels_[count_].repeats;
    if (run_ > Writer::word_bits) return;
    run_bits_ = static_cast<unsigned>(run_);
    word_repeats_ =
        static_cast<unsigned>(std::min<std::uint64_t>(run_repeats_, Writer::word_bits / run_bits_));
    for (unsigned repeat = 0; repeat < word_repeats_; ++repeat)
      repeater_ |= std::uint64_t{1} << repeat * run_bits_;
  }

  void tile() noexcept { write_level(0); }

 private:
  // The next block of the level above.
  void write_level(int level) noexcept {
    if (level == count_) return write_runs(1);
    const std::uint64_t begin = writer_.position();
    if (level + 1 == count_)
      write_runs(levels_[level].extent);
    else
      for (std::uint64_t block = 0; block < levels_[level].extent; ++block)
        write_level(level + 1);
    repeat_since(writer_, begin, writer_.position() - begin, levels_[level].repeats);
  }

  void write_runs(std::uint64_t runs) noexcept {
    Writer writer = writer_;  // whose address nobody has, so that it stays in registers
    for (std::uint64_t run = 0; run < runs; ++run, position_ += run_)
      if (run_bits_ == 0)
        write_long_run(writer);
      else
        write_short_run(writer);
    writer_ = writer;
  }

  void write_short_run(Writer& writer) const noexcept {
    const std::uint64_t begin = writer.position();
    const unsigned bits = word_repeats_ * run_bits_;
    const std::uint64_t run = data_.bits<high_bit_first>(position_, run_bits_);
    const std::uint64_t word = Bits::of_number(Bits::number(run, run_bits_) * repeater_, bits);
    std::uint64_t repeats = run_repeats_;
    for (int words = 0; words < words_before_copies && repeats >= word_repeats_; ++words) {
      writer.append(word, bits);
      repeats -= word_repeats_;
    }
    if (repeats == 0) return;
    if (repeats >= word_repeats_) return repeat_since(writer, begin, run_, run_repeats_);
    const unsigned rest = static_cast<unsigned>(repeats) * run_bits_;
    writer.append(Bits::first(word, rest), rest);
  }

  void write_long_run(Writer& writer) const noexcept {
    const std::uint64_t begin = writer.position();
    // From the data while the output is young: what was stored a moment ago is slow to load elsewhere.
    std::uint64_t repeats = 0;
    do {
      writer.append(data_, position_, run_);
    } while (++repeats < run_repeats_ && repeats * run_ < bits_before_copies);
    repeat_since(writer, begin, run_, run_repeats_);
  }

  // What was written since `begin` are a block of `block` bits and repeats of it; makes it `repeats`.
  static void repeat_since(Writer& writer, std::uint64_t begin, std::uint64_t block,
                           std::uint64_t repeats) noexcept {
    const std::uint64_t end = begin + block * repeats;
    std::uint64_t piece = 0;
    for (std::uint64_t position = writer.position(); position < end; position = writer.position()) {
      if (piece < largest_piece || piece % 8 != 0) piece = (position - begin) / block * block;
      writer.append(writer.written(), begin, std::min(piece, end - position));
    }
  }

  static constexpr int words_before_copies = 16;
  static constexpr std::uint64_t bits_before_copies = 2048;
  static constexpr std::uint64_t largest_piece = std::uint64_t{8} * 16 * 1024;  // two fit in the first cache

  const TilePlan::Level* levels_;
  int count_;  // of levels outside the runs
  std::uint64_t run_, run_repeats_ = 1;
  // Of runs that fit in a word; otherwise 0.
  unsigned run_bits_ = 0, word_repeats_ = 0;
  std::uint64_t repeater_ = 0;  // times a run: as many repeats as fit in a word
  BitSource data_;
  std::uint64_t position_ = 0;  // in the data
  Writer writer_;
};

}  // namespace

void tile_packed(const TilePlan& plan, bool high_bit_first, const std::byte* from, std::byte* to) noexcept {
  std::uint64_t data_bits = plan.run, bits = plan.run;
  for (int level = 0; level < plan.count; ++level) {
    data_bits *= plan.levels[level].extent;
    bits *= plan.levels[level].extent * plan.levels[level].repeats;
  }
  if (bits == 0) return;
  const BitSource data{from, from + (data_bits + 7) / 8};
  std::byte* end = to + (bits + 7) / 8;
  if (high_bit_first)
    PackedTiling<true>(plan, data, to, end).tile();
  else
    PackedTiling<false>(plan, data, to, end).tile();
}

}  // namespace certile
