// Copies runs one by one.  The repeats of a level are copied as a whole from the output just written.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "backends/builtin/builtin.hpp"

namespace certile::backends {
namespace {

static_assert(std::endian::native == std::endian::little);

// A format of runs of bytes.  Positions and lengths count bytes.
struct Bytes {
  static void copy(const std::byte* from, std::size_t from_position, std::byte* to, std::size_t to_position,
                   std::size_t length) {
    std::memcpy(to + to_position, from + from_position, length);
  }
};

// A format of runs of bits in a stream that fills bytes from the low bit up, or from the high bit down.
// Positions and lengths count bits; a run may begin in the byte in which its source ends.
template <bool high_bit_first>
struct Bits {
  static unsigned mask(std::size_t position) {
    const std::size_t in_byte = position % 8;
    return 1U << (high_bit_first ? 7 - in_byte : in_byte);
  }

  static void copy(const std::byte* from, std::size_t from_position, std::byte* to, std::size_t to_position,
                   std::size_t length) {
    std::size_t done = 0;
    if (from_position % 8 == 0 && to_position % 8 == 0) {
      std::memcpy(to + to_position / 8, from + from_position / 8, length / 8);
      done = length / 8 * 8;
    }
    for (; done < length; ++done) {
      const unsigned source = std::to_integer<unsigned>(from[(from_position + done) / 8]);
      const std::byte bit{static_cast<unsigned char>(mask(to_position + done))};
      std::byte& target = to[(to_position + done) / 8];
      target = (source & mask(from_position + done)) != 0 ? target | bit : target & ~bit;
    }
  }
};

// A tiling that reads the data, and writes the output, from front to back.
template <class Run>
class Tiling {
 public:
  Tiling(const TilePlan& plan, std::size_t run_length, const std::byte* from, std::byte* to)
      : plan_(plan), run_length_(run_length), from_(from), to_(to) {}

  void tile() { write_block(0); }

 private:
  // Writes the next block of the level outside this one: the output that the level and those inside it make
  // of one pass over the data.
  void write_block(int level) {
    if (level == plan_.count()) {
      Run::copy(from_, from_position_, to_, to_position_, run_length_);
      from_position_ += run_length_;
      to_position_ += run_length_;
      return;
    }
    const std::size_t begin = to_position_;
    for (std::uint64_t block = 0; block < plan_.levels()[level].extent; ++block)
      write_block(level + 1);
    repeat_since(begin, plan_.levels()[level].repeats);
  }

  // Repeats the output written since `begin`, until there are `repeats` copies, by doubling it where
  // possible.
  void repeat_since(std::size_t begin, std::uint64_t repeats) {
    const std::size_t end = begin + (to_position_ - begin) * repeats;
    while (to_position_ < end) {
      const std::size_t length = std::min(to_position_ - begin, end - to_position_);
      Run::copy(to_, begin, to_, to_position_, length);
      to_position_ += length;
    }
  }

  const TilePlan& plan_;
  std::size_t run_length_;
  const std::byte* from_;
  std::byte* to_;
  std::size_t from_position_ = 0;
  std::size_t to_position_ = 0;
};

void move(const void*, const TilePlan& plan, const certile_tensor& data, const certile_tensor& out) {
  const auto* const from = static_cast<const std::byte*>(data.data);
  auto* const to = static_cast<std::byte*>(out.data);
  if (data.element_bits % 8 == 0) return Tiling<Bytes>(plan, plan.run_bits / 8, from, to).tile();
  to[out.byte_size - 1] = std::byte{0};  // sets its padding bits too, which belong to no element
  if (data.element_type == CERTILE_U1) return Tiling<Bits<true>>(plan, plan.run_bits, from, to).tile();
  Tiling<Bits<false>>(plan, plan.run_bits, from, to).tile();
}

}  // namespace

std::int32_t open_scalar(certile_plugin& table) {
  return fill_table(table, {"scalar", "1", true, move});
}

}  // namespace certile::backends
