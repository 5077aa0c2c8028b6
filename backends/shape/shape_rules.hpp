#pragma once
#include <cstdint>

#include "backends/plugin/certile_plugin.h"
#include "backends/shape/tile_plan.hpp"

// The backends' own reading of the shape rules of the definitions: it shares nothing with either oracle,
// so that a misreading there shows here.  C++17, and nothing but the C header: files of either standard
// include this.
//
// They read the elements of repeats and axis, never those of data, and allocate nothing.
namespace certile::backends {

// The answer of the rules to a call: CERTILE_OK, CERTILE_REJECTED, CERTILE_FAILED, or CERTILE_UNSUPPORTED for
// a definition of a later header.
struct Ruling {
  std::int32_t status = CERTILE_OK;
  const char* why = "";  // when it is not CERTILE_OK; static
};

// Writes the shape and the rank of the output.  Room for fewer than its axes is CERTILE_FAILED.
Ruling infer_shape(const certile_call& call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t& rank) noexcept;

// Makes the plan that fills `out`, of which `output_bits` is 0 if nothing is to be written.  An output of
// another shape than the rules give is CERTILE_FAILED.  Calls of the usual kind need not come here
// (tile_plan.hpp).
Ruling plan_any_call(const certile_call& call, const certile_tensor& out, TilePlan& plan) noexcept;

}  // namespace certile::backends
