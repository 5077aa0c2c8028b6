#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/plugin/certile_plugin.h"

// The backends' own reading of the shape rules of the definitions: it shares nothing with either oracle,
// so that a misreading there shows here.  C++17, and nothing but the C header: files of either standard
// include this.
namespace certile {

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

// Returns the names of all definitions that these rules know, as a claim lists them.
const char* names_of_definitions() noexcept;

// Returns the largest number of axes that the output of the call can have.
std::size_t most_axes(const certile_call& call) noexcept;

// Applies the operator's rules to the call's types and shapes.  Writes the axes to `axes`, which has room for
// most_axes(call).  Reads the elements of repeats and axis, never those of data.  Allocates nothing.
RuledAxes apply_shape_rules(const certile_call& call, Axis* axes) noexcept;

struct AppliedRules {
  std::int32_t status = CERTILE_OK;
  const char* why = "";
  std::vector<Axis> axes;
};

// Applies the same rules where an allocation does not matter.
AppliedRules apply_shape_rules(const certile_call& call);

// Returns true if the output has no elements.
bool is_empty(const Axis* axes, std::size_t count) noexcept;

}  // namespace certile
