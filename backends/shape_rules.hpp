#pragma once
#include <cstdint>
#include <vector>

#include "backends/plugin/certile_plugin.h"

// The backends' own reading of the shape rules of the four operators: it shares nothing with either oracle,
// so that a misreading there shows here.  C++17, and nothing but the C header: files of either standard
// include this.
namespace certile {

// One axis of the output, after rank promotion: output = dimension * repeats.
struct Axis {
  std::int64_t dimension;
  std::int64_t repeats;  // never negative
  std::int64_t output;
};

struct Ruling {
  std::int32_t status =
      CERTILE_OK;          // or CERTILE_REJECTED; CERTILE_UNSUPPORTED for an operator of a later header
  const char* why = "";    // when it is not CERTILE_OK; static
  std::vector<Axis> axes;  // when it is: one for each axis of the output
};

// What the operator makes of the call's types and shapes.  Reads the elements of repeats and axis, never
// those of data.
Ruling apply_shape_rules(const certile_call& call);

// True when the output has no elements.
bool is_empty(const std::vector<Axis>& axes) noexcept;

}  // namespace certile
