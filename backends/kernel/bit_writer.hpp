#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Streams of bits that fill each byte from the low bit up, or from the high bit down.
namespace certile {

// Up to 64 bits of a stream in a register.  The first bit of the stream is the lowest or the highest one;
// bits that are not used are zero.
template <bool high_bit_first>
struct BitWord {
  using Word = std::uint64_t;
  static_assert(std::endian::native == std::endian::little);

  static Word swapped(Word word) noexcept { return high_bit_first ? __builtin_bswap64(word) : word; }

  // Of `bytes` bytes, at most 8.
  static Word load(const std::byte* from, std::size_t bytes) noexcept {
    Word word = 0;
    for (std::size_t index = 0; index < bytes; ++index)
      word |= std::to_integer<Word>(from[index]) << 8 * index;
    return swapped(word);
  }
  static Word load(const std::byte* from) noexcept {
    Word word;
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

  // The first bits are moved out, or zeros in before them; fewer than 64.
  static Word without_first(Word word, unsigned bits) noexcept {
    return high_bit_first ? word << bits : word >> bits;
  }
  static Word after_zeros(Word word, unsigned bits) noexcept {
    return high_bit_first ? word >> bits : word << bits;
  }
  // The first bits alone, 1 to 64 of them.
  static Word first(Word word, unsigned bits) noexcept {
    return high_bit_first ? word & ~Word{0} << (64 - bits) : word & ~Word{0} >> (64 - bits);
  }
  // From and to a number that has the bits lowest, 1 to 64 of them.
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

  // 1 to 57 bits, those from `position` on.
  template <bool high_bit_first>
  std::uint64_t bits(std::uint64_t position, unsigned count) const noexcept {
    using Bits = BitWord<high_bit_first>;
    const std::byte* from = begin + position / 8;
    const auto left = static_cast<std::size_t>(end - from);
    const std::uint64_t word = left >= 8 ? Bits::load(from) : Bits::load(from, left);
    return Bits::first(Bits::without_first(word, static_cast<unsigned>(position % 8)), count);
  }
};

// Writes a stream from front to back.  What was appended is in memory at once, followed by zeros up to the
// end of its byte; bytes behind it, still before `end`, may be overwritten.
template <bool high_bit_first>
class BitWriter {
 public:
  using Bits = BitWord<high_bit_first>;
  static constexpr unsigned word_bits = 56;  // what fits behind the bits of a byte that is not full

  BitWriter(std::byte* begin, std::byte* end) noexcept : begin_(begin), at_(begin), end_(end) {}

  std::uint64_t position() const noexcept { return static_cast<std::uint64_t>(at_ - begin_) * 8 + filled_; }
  // What was written; may be appended again.
  BitSource written() const noexcept { return {begin_, end_}; }

  // 1 to word_bits bits.
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

  // `count` bits of the source, those from `position` on.  A source that is what this writes ends where the
  // writer stands, or before.
  void append(const BitSource& source, std::uint64_t position, std::uint64_t count) noexcept {
    if (count >= worth_bytes) {
      if (filled_ != 0) append_word(source, position, count, 8 - filled_);
      append_bytes(source.begin + position / 8, static_cast<unsigned>(position % 8), count / 8);
      position += count / 8 * 8;
      count %= 8;
    }
    while (count > 0)
      append_word(source, position, count, static_cast<unsigned>(std::min<std::uint64_t>(count, word_bits)));
  }

 private:
  static constexpr std::uint64_t worth_bytes = 256;  // below it a few words are as fast

  void append_word(const BitSource& source, std::uint64_t& position, std::uint64_t& count,
                   unsigned bits) noexcept {
    append(source.bits<high_bit_first>(position, bits), bits);
    position += bits;
    count -= bits;
  }

  // The writer stands at the beginning of a byte; the source `skipped` bits behind that of its byte.
  void append_bytes(const std::byte* from, unsigned skipped, std::uint64_t count) noexcept {
    std::byte* to = at_;
    at_ += count;
    if (skipped == 0) {
      std::memcpy(to, from, count);
      return;
    }
    for (; count >= sizeof(Block); count -= sizeof(Block), from += sizeof(Block), to += sizeof(Block))
      shift<Block>(to, from, skipped);
    for (; count >= sizeof(std::uint64_t); count -= 8, from += 8, to += 8)
      shift<std::uint64_t[1]>(to, from, skipped);
    for (; count > 0; --count, ++from, ++to)
      shift<std::uint8_t[1]>(to, from, skipped);
  }

  using Block = std::uint64_t[8];  // a loop of known length is what compilers make vectors of

  // As many bytes as Lanes has: each the last bits of a byte of the source and the first of the next one.
  // Each byte is masked on its own, so that lanes may be of any width and no byte order matters.
  template <class Lanes>
  static void shift(std::byte* to, const std::byte* from, unsigned skipped) noexcept {
    using Lane = std::remove_extent_t<Lanes>;
    const auto in_each_byte = [](unsigned bits) {
      return static_cast<Lane>(0x0101010101010101U * (bits & 0xFF));
    };
    const unsigned taken = 8 - skipped;
    const Lane last = in_each_byte(high_bit_first ? 0xFFU << skipped : 0xFFU >> skipped);
    const Lane first = static_cast<Lane>(~last);
    Lanes here, next;
    std::memcpy(here, from, sizeof here);
    std::memcpy(next, from + 1, sizeof next);
    for (std::size_t index = 0; index < std::extent_v<Lanes>; ++index) {
      if constexpr (high_bit_first)
        here[index] = static_cast<Lane>((here[index] << skipped & last) | (next[index] >> taken & first));
      else
        here[index] = static_cast<Lane>((here[index] >> skipped & last) | (next[index] << taken & first));
    }
    std::memcpy(to, here, sizeof here);
  }

  std::byte* begin_;
  std::byte* at_;
  std::byte* end_;
  std::uint64_t partial_ = 0;  // the bits of the byte at at_ that is not full
  unsigned filled_ = 0;        // how many
};

}  // namespace certile
