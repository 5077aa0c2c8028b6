#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "backends/plugin/certile_plugin.h"
#include "backends/shape/shape_rules.hpp"

// C++17, and nothing but the C header and the shape rules: files of either standard include this.
namespace certile::backends {

// The axes of an output; the data is row-major in their dimensions.
struct OutputAxes {
  const Axis* first;
  std::size_t count;
  const Axis* begin() const noexcept { return first; }
  const Axis* end() const noexcept { return first + count; }
};

// A backend of this tree: what distinguishes it from the others.
struct BuiltInBackend {
  std::string name, version;
  bool moves_packed_types;  // false: elements narrower than a byte are unsupported
  // Fills `out`, which has elements.  May throw std::bad_alloc.
  std::function<void(const OutputAxes& axes, const certile_tensor& data, const certile_tensor& out)> move;
};

// Fills the table of a backend that claims every definition, and returns CERTILE_OK.  The shape rules, the
// refusals and the claim are here, so that backends differ only in how they move elements.
std::int32_t fill_table(certile_plugin& table, BuiltInBackend backend);

}  // namespace certile::backends
