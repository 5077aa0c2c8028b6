#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Streams of bits that fill each byte from the low bit up, or from the high bit down.
namespace certile::kernel {

// A word of up to 64 bits of a stream, in a register.  The first bit of the stream is the lowest or the
// highest bit; unused bits are zero.
template <bool high_bit_first>
struct BitWord {
  using Word = std::uint64_t;
  static_assert(std::endian::native == std::endian::little);

  static Word swapped(Word word) noexcept { return high_bit_first ? __builtin_bswap64(word) : word; }

  // Loads `bytes` bytes, at most 8.
  static Word load(const std::byte* from, std::size_t bytes) noexcept {
    Word word = 0;
    for (std::size_t index = 0; index < bytes; ++index)
      word |= std::to_integer<Word>(from[index]) << 8 * index;
    return swapped(word);
  }
  static Word load(const std::byte* from) noexcept {
    Word word = 0;
    std::memcpy(&word, from, sizeof word);
    return swapped(word);
  }

  static void store(std::byte* to, Word word, std::size_t bytes) noexcept {
    word = swapped(word);
    for (std::size_t index = 0; index < bytes; ++index)
      to[index] = static_cast<std::byte>(word >> 8 * index);
  }
  static void store(std::byte* to, Word word) noexcept {
    word = swapped(word);
    std::memcpy(to, &word, sizeof word);
  }

  // Moves the first bits out, or zeros in before them; fewer than 64.
  static Word without_first(Word word, unsigned bits) noexcept {
    return high_bit_first ? word << bits : word >> bits;
  }
  static Word after_zeros(Word word, unsigned bits) noexcept {
    return high_bit_first ? word >> bits : word << bits;
  }
  // Keeps only the first bits, 1 to 64 of them.
  static Word first(Word word, unsigned bits) noexcept {
    return high_bit_first ? word & ~Word{0} << (64 - bits) : word & ~Word{0} >> (64 - bits);
  }
  // Converts to and from a number whose lowest bits are the word's first, 1 to 64 of them.
  static Word number(Word word, unsigned bits) noexcept {
    return high_bit_first ? word >> (64 - bits) : word;
  }
  static Word of_number(Word word, unsigned bits) noexcept {
    return high_bit_first ? word << (64 - bits) : word;
  }
};

// A stream in memory, of which no byte outside [begin, end) is touched.
struct BitSource {
  const std::byte* begin;
  const std::byte* end;

  // Returns 1 to 57 bits from `position` on.
  template <bool high_bit_first>
  std::uint64_t bits(std::uint64_t position, unsigned count) const noexcept {
    using Bits = BitWord<high_bit_first>;
    const std::byte* from = begin + position / 8;
    const auto left = static_cast<std::size_t>(end - from);
    const std::uint64_t word = left >= 8 ? Bits::load(from) : Bits::load(from, left);
    return Bits::first(Bits::without_first(word, static_cast<unsigned>(position % 8)), count);
  }
};

// A writer of a stream, from front to back.  Appended bits are in memory at once, followed by zeros up to the
// end of their byte; bytes after that, still before `end`, may be overwritten.
template <bool high_bit_first>
class BitWriter {
 public:
  using Bits = BitWord<high_bit_first>;
  static constexpr unsigned word_bits = 56;  // the bits that fit after those of an unfinished byte

  BitWriter(std::byte* begin, std::byte* end) noexcept : begin_(begin), at_(begin), end_(end) {}

  std::uint64_t position() const noexcept { return static_cast<std::uint64_t>(at_ - begin_) * 8 + filled_; }
  // Returns the bits of the unfinished byte, which is the next one.
  unsigned filled() const noexcept { return filled_; }
  std::byte unfinished() const noexcept { return filled_ == 0 ? std::byte{0} : *at_; }
  // Writes `bits` bits of `from` from the unfinished byte on; they begin with that byte's own bits.  Zeros
  // follow to the end of the last byte.
  void write_again(const std::byte* from, std::uint64_t bits) noexcept {
    std::memcpy(at_, from, (bits + 7) / 8);
    at_ += bits / 8;
    filled_ = bits % 8;
    partial_ = filled_ == 0 ? 0 : Bits::load(at_, 1);
  }
  // Returns the stream written so far, which may be appended again.
  BitSource written() const noexcept { return {begin_, end_}; }

  // Appends 1 to word_bits bits.
  void append(std::uint64_t bits, unsigned count) noexcept {
    partial_ |= Bits::after_zeros(bits, filled_);
    filled_ += count;
    if (end_ - at_ >= 8)
      Bits::store(at_, partial_);
    else
      Bits::store(at_, partial_, (filled_ + 7) / 8);
    at_ += filled_ / 8;
    partial_ = Bits::without_first(partial_, filled_ & ~7U);
    filled_ %= 8;
  }

  // Appends `count` bits, at least 64, that repeat the 64 bits of a word.  Its halves are alike, so that a
  // rest of more than 56 bits is appended as two halves.
  [[gnu::always_inline]] void append_repeats(std::uint64_t word, std::uint64_t count) noexcept {
    // All words are this one, moved behind the bits of the unfinished byte.
    if (filled_ > 0) word = Bits::after_zeros(word, filled_) | Bits::without_first(word, 64 - filled_);
    const std::uint64_t bits = filled_ + count, same = Bits::swapped(word);
    std::byte *to = at_ + 8, *const end = at_ + bits / 64 * 8;
    Bits::store(at_, partial_ | (word & Bits::after_zeros(~std::uint64_t{0}, filled_)));
    for (const Block block = {same, same, same, same}; end - to >= 32; to += sizeof block)
      std::memcpy(to, &block, sizeof block);
    for (; to < end; to += 8)
      Bits::store(to, word);
    at_ = end;
    filled_ = 0;
    partial_ = 0;
    if (const auto rest = static_cast<unsigned>(bits % 64); rest > 56) {
      append(Bits::first(word, 32), 32);
      append(Bits::first(word, rest - 32), rest - 32);
    } else if (rest > 0) {
      append(Bits::first(word, rest), rest);
    }
  }

  // Appends `count` bits of the source from `position` on.  If the source is this writer's output, the bits
  // lie before the writer's position.
  [[gnu::always_inline]] void append(const BitSource& source, std::uint64_t position,
                                     std::uint64_t count) noexcept {
    if (count >= 2 * 64) {
      // A source has no bits in front of its first ones, so the writer's byte is filled first.
      if (position < filled_) append_word(source, position, count, 8 - filled_);
      append_bytes(source, position, count);
    }
    while (count > 0)
      append_word(source, position, count, static_cast<unsigned>(std::min<std::uint64_t>(count, word_bits)));
  }

  // Appends `count` bits, at least 8, each of which is the one `period` bytes before it.  `tile` is called
  // with the first byte of a period, the byte to write first, and the number of whole bytes to write.
  void append_by(std::uint64_t period, std::uint64_t count, const auto& tile) noexcept {
    if (filled_ > 0) {
      count -= 8 - filled_;
      append(written().template bits<high_bit_first>(position() - 8 * period, 8 - filled_), 8 - filled_);
    }
    tile(at_ - period, at_, count / 8);
    at_ += count / 8;
    const auto rest = static_cast<unsigned>(count % 8);
    if (rest > 0) append(written().template bits<high_bit_first>(position() - 8 * period, rest), rest);
  }

 private:
  [[gnu::always_inline]] void append_word(const BitSource& source, std::uint64_t& position,
                                          std::uint64_t& count, unsigned bits) noexcept {
    append(source.bits<high_bit_first>(position, bits), bits);
    position += bits;
    count -= bits;
  }

  // Appends the bits that make whole bytes, or a few less; the first byte has some bits already.
  [[gnu::always_inline]] void append_bytes(const BitSource& source, std::uint64_t& position,
                                           std::uint64_t& count) noexcept {
    const std::byte* from = source.begin + (position - filled_) / 8;
    const auto skipped = static_cast<unsigned>((position - filled_) % 8);
    const std::uint64_t bytes = skipped == 0 ? (count + filled_) / 8 : (count + filled_) / 64 * 8;
    std::byte* const to = at_;
    at_ += bytes;
    position += bytes * 8 - filled_;
    count -= bytes * 8 - filled_;
    const std::uint64_t new_bits = Bits::after_zeros(~std::uint64_t{0}, filled_), partial = partial_;
    partial_ = 0;
    filled_ = 0;
    // Writes the first word before later ones are read, because the source may be this output, and end in the
    // byte that the word completes.
    if (skipped == 0) {
      Bits::store(to, partial | (Bits::load(from) & new_bits));
      std::memcpy(to + 8, from + 8, bytes - 8);
    } else {
      Bits::store(to, partial | (shifted(from, skipped) & new_bits));
      shift(to + 8, from + 8, bytes - 8, skipped);
    }
  }

  // Shifts `bytes` bytes, a multiple of 8.
  static void shift(std::byte* to, const std::byte* from, std::uint64_t bytes, unsigned skipped) noexcept {
    for (; bytes >= sizeof(Block); bytes -= sizeof(Block), from += sizeof(Block), to += sizeof(Block))
      shift_block(to, from, skipped);
    for (; bytes > 0; bytes -= 8, from += 8, to += 8)
      Bits::store(to, shifted(from, skipped));
  }

  // Returns the 64 bits after the first `skipped` (1 to 7) bits, from nine bytes.
  static std::uint64_t shifted(const std::byte* from, unsigned skipped) noexcept {
    return Bits::without_first(Bits::load(from), skipped) |
           Bits::after_zeros(Bits::load(from + 1), 8 - skipped);
  }

  typedef std::uint64_t Block __attribute__((vector_size(32)));  // divided where vectors are narrower

  // Combines the last bits of each byte of the source with the first bits of the next byte.  The bits are
  // masked byte by byte, so that vectors need no instruction that reverses bytes.
  static void shift_block(std::byte* to, const std::byte* from, unsigned skipped) noexcept {
    const unsigned taken = 8 - skipped;
    const std::uint64_t last =
        0x0101010101010101U * ((high_bit_first ? 0xFFU << skipped : 0xFFU >> skipped) & 0xFFU);
    Block here, next;
    std::memcpy(&here, from, sizeof here);
    std::memcpy(&next, from + 1, sizeof next);
    if constexpr (high_bit_first)
      here = (here << skipped & last) | (next >> taken & ~last);
    else
      here = (here >> skipped & last) | (next << taken & ~last);
    std::memcpy(to, &here, sizeof here);
  }

  std::byte* begin_;
  std::byte* at_;
  std::byte* end_;
  std::uint64_t partial_ = 0;  // the bits of the unfinished byte at at_
  unsigned filled_ = 0;        // the number of those bits
};

}  // namespace certile::kernel
