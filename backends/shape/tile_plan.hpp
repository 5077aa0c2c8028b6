#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "backends/plugin/certile_plugin.h"

namespace certile::backends {

// Only C++17: files of either standard include this one, and shape_rules.hpp.

// A tiling reduced to runs of bits, without element types and ranks.  From the outermost level on, it writes
// `repeats` times the `extent` blocks of a level; a block of the innermost level is `run` consecutive bits of
// the data.  No level could be left out or joined with its neighbour: the innermost level has an extent of 1,
// and every level but the outermost repeats at least twice.  So fewer than `capacity` of them describe every
// output, which has less than 2^63 elements.
//
// A plan is made axis by axis, from the innermost one outwards, so its room is filled from the back.
class TilePlan {
 public:
  struct Level {
    std::uint64_t repeats, extent;
  };
  static constexpr int capacity = 64;

  std::uint64_t run_bits = 0;     // of the innermost block
  std::uint64_t output_bits = 0;  // of all

  TilePlan() noexcept {}  // leaves the room as it is, which is larger than all else that a tiny call touches

  // Returns the bits of the data.
  std::uint64_t data_bits() const noexcept {
    std::uint64_t bits = run_bits;
    for (int level = 0; level < count(); ++level)
      bits *= levels()[level].extent;
    return bits;
  }
  // Returns the number of levels; none: the output is one run.
  int count() const noexcept { return capacity - first_; }
  // Returns the levels, the outermost first.
  const Level* levels() const noexcept { return room_ + first_; }
  Level* levels() noexcept { return room_ + first_; }

 private:
  friend class Fusing;

  int first_ = capacity;
  Level room_[capacity];
};

// A plan in the making.  Everything is in registers until the end, because this is half of a tiny call.
class Fusing {
 public:
  // Begins a plan of blocks of `unit_bits` bits.
  explicit Fusing(TilePlan& plan, std::uint64_t unit_bits) noexcept
      : plan_(plan), outermost_(plan.room_ + TilePlan::capacity), blocks_(unit_bits) {}

  // Adds the next axis outwards.  An unrepeated axis joins what is inside, and repeats of a repetition are
  // more repeats of the same.  All axes added so far make from 1 to 2^63 - 1 elements, which bounds the
  // levels.
  [[gnu::always_inline]] void add(std::uint64_t dimension, std::uint64_t repeats) noexcept {
    blocks_ *= dimension;
    if (repeats == 1) return;
    if (blocks_ == 1 && outermost_ != plan_.room_ + TilePlan::capacity) {
      outermost_->repeats *= repeats;
    } else {
      *--outermost_ = {repeats, blocks_};
      blocks_ = 1;
    }
  }

  // Ends the plan, after the outermost axis, of that many bits.
  [[gnu::always_inline]] void finish(std::uint64_t output_bits) noexcept {
    plan_.output_bits = output_bits;
    TilePlan::Level* const end = plan_.room_ + TilePlan::capacity;
    plan_.run_bits = blocks_;
    if (outermost_ != end) {
      // The innermost blocks are consecutive in the data and in the output: they are one longer run.
      plan_.run_bits = end[-1].extent;
      end[-1].extent = 1;
      if (blocks_ != 1) *--outermost_ = {1, blocks_};
    }
    plan_.first_ = static_cast<int>(outermost_ - plan_.room_);
  }

 private:
  TilePlan& plan_;
  TilePlan::Level* outermost_;
  std::uint64_t blocks_;  // of the outermost level, or bits of the run, consecutive and unrepeated so far
};

// The calls that are nearly all calls: a repeat of type i64 for each axis, and an output that is neither
// empty nor refused.  In a header, because the cost of this is a third of a tiny call's.

namespace usual {

// The types of the data, a bit each, for which a definition knows such calls, by its number less one.
constexpr std::uint32_t ALIGNED = ~0u, PROMOTED = ~0u, ALONG = 0;  // NOLINT(readability-identifier-naming)
constexpr std::uint32_t types[] = {
#define READING(number, name, types, repeats, form, negative) (types) & (form),
#include "backends/shape/definitions.inc"
#undef READING
};

}  // namespace usual

// Makes the plan that fills `out`, whose run counts bits, and returns true, if the call is of the usual kind;
// otherwise `plan_any_call` decides.  One pass over the axes, from the innermost one outwards, applies every
// rule and fuses levels; no branch is taken on the way.
[[gnu::always_inline]] inline bool plan_usual_call(const certile_call& call, const certile_tensor& out,
                                                   TilePlan& plan) noexcept {
  const certile_tensor &data = *call.data, &repeats = *call.repeats;
  const std::uint32_t index = call.op - 1;
  if (index >= std::size(usual::types) || data.element_type >= 32) return false;
  if ((usual::types[index] >> data.element_type & 1U) == 0) return false;
  if (repeats.element_type != CERTILE_I64 || repeats.rank != 1) return false;
  if (repeats.shape[0] != data.rank || out.rank != data.rank) return false;

  const auto* const times = static_cast<const char*>(repeats.data);
  const std::int64_t* const dimensions = data.shape;
  const std::int64_t* const sizes = out.shape;
  Fusing fusing(plan, data.element_bits);
  std::int64_t elements = 1;
  for (auto axis = static_cast<std::size_t>(data.rank); axis-- > 0;) {
    std::int64_t repeat = 0, size = 0;
    std::memcpy(&repeat, times + axis * sizeof repeat, sizeof repeat);  // perhaps unaligned
    const std::int64_t dimension = dimensions[axis];
    // Each check on its own, because the compiler joins them by more instructions than they need.
    if (__builtin_expect(__builtin_mul_overflow(dimension, repeat, &size), false)) return false;
    if (__builtin_expect(size <= 0 || size != sizes[axis], false)) return false;
    if (__builtin_mul_overflow(elements, size, &elements)) return false;
    fusing.add(static_cast<std::uint64_t>(dimension), static_cast<std::uint64_t>(repeat));
  }
  fusing.finish(static_cast<std::uint64_t>(elements) * data.element_bits);
  return true;
}

}  // namespace certile::backends
