// Copies rows one by one.  The repeats of an axis are copied as a whole from the output just written.
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

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
  Tiling(std::span<const Axis> axes, std::size_t element_length, const std::byte* from, std::byte* to)
      : axes_(axes), rows_from_(axes.size()), row_length_(element_length), from_(from), to_(to) {
    // The last axes that nothing repeats form one row of consecutive elements.
    while (rows_from_ > 0 && axes_[rows_from_ - 1].repeats == 1) {
      --rows_from_;
      row_length_ *= static_cast<std::size_t>(axes_[rows_from_].dimension);
    }
    // The axis before them joins: its repeats are copies of the row.
    if (rows_from_ > 0) {
      --rows_from_;
      row_length_ *= static_cast<std::size_t>(axes_[rows_from_].dimension);
      row_repeats_ = axes_[rows_from_].repeats;
    }
  }

  void tile() { write_block(0); }

 private:
  // Writes the next block of this axis: the output that the axis and those inside it make of one pass over
  // the data.
  void write_block(std::size_t axis) {
    const std::size_t begin = to_position_;
    if (axis == rows_from_) {
      Run::copy(from_, from_position_, to_, to_position_, row_length_);
      from_position_ += row_length_;
      to_position_ += row_length_;
      return repeat_since(begin, row_repeats_);
    }
    for (std::int64_t index = 0; index < axes_[axis].dimension; ++index)
      write_block(axis + 1);
    repeat_since(begin, axes_[axis].repeats);
  }

  // Repeats the output written since `begin`, until there are `repeats` copies, by doubling it where
  // possible.
  void repeat_since(std::size_t begin, std::int64_t repeats) {
    const std::size_t end = begin + (to_position_ - begin) * static_cast<std::size_t>(repeats);
    while (to_position_ < end) {
      const std::size_t length = std::min(to_position_ - begin, end - to_position_);
      Run::copy(to_, begin, to_, to_position_, length);
      to_position_ += length;
    }
  }

  std::span<const Axis> axes_;
  std::size_t rows_from_;  // this axis and all after it make up a row
  std::size_t row_length_;
  std::int64_t row_repeats_ = 1;
  const std::byte* from_;
  std::byte* to_;
  std::size_t from_position_ = 0;
  std::size_t to_position_ = 0;
};

void move(const OutputAxes& axes, const certile_tensor& data, const certile_tensor& out) {
  const std::size_t width = data.element_bits;
  const auto* const from = static_cast<const std::byte*>(data.data);
  auto* const to = static_cast<std::byte*>(out.data);
  const std::span<const Axis> all(axes.first, axes.count);
  if (width % 8 == 0) return Tiling<Bytes>(all, width / 8, from, to).tile();
  to[out.byte_size - 1] = std::byte{0};  // sets its padding bits too, which belong to no element
  if (data.element_type == CERTILE_U1) return Tiling<Bits<true>>(all, width, from, to).tile();
  Tiling<Bits<false>>(all, width, from, to).tile();
}

}  // namespace

std::int32_t open_scalar(certile_plugin& table) {
  return fill_table(table, {"scalar", "1", true, move});
}

}  // namespace certile::backends
