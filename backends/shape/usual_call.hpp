#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "backends/plugin/certile_plugin.h"
#include "backends/shape/tile_plan.hpp"

// The calls that are nearly all calls: a repeat of type i64 for each axis, and an output that is neither
// empty nor refused.  In a header, because the cost of this is a third of a tiny call's.
namespace certile::backends {

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
