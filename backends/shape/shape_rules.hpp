#pragma once
#include <cstddef>
#include <cstdint>

#include "backends/plugin/certile_plugin.h"

// The backends' own reading of the shape rules of the definitions: it shares nothing with either oracle,
// so that a misreading there shows here.  C++17, and nothing but the C header: files of either standard
// include this.
namespace certile::backends {

// One axis of the output, after rank promotion: output = dimension * repeats.
struct Axis {
  std::int64_t dimension;
  std::int64_t repeats;  // never negative
  std::int64_t output;
};

struct RuledAxes {
  std::int32_t status =
      CERTILE_OK;             // or CERTILE_REJECTED; CERTILE_UNSUPPORTED for an operator of a later header
  const char* why = "";       // when it is not CERTILE_OK; static
  std::size_t count = 0;      // when it is: of the output's axes
  std::int64_t elements = 0;  // when it is: of the output
};

// Returns the largest number of axes that the output of the call can have.
std::size_t most_axes(const certile_call& call) noexcept;

// Applies the operator's rules to the call's types and shapes.  Writes the axes to `axes`, which has room for
// most_axes(call).  Reads the elements of repeats and axis, never those of data.  Allocates nothing.
RuledAxes apply_shape_rules(const certile_call& call, Axis* axes) noexcept;

}  // namespace certile::backends
