#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "backends/plugin/certile_plugin.h"
#include "backends/shape/tile_plan.hpp"

// C++17, and nothing but the C header and the plan: files of either standard include this.
namespace certile::backends {

// Fills `out`, which has elements, by the plan, whose run counts bits.  `state` is the backend's.  May throw
// std::bad_alloc.
using Move = void (*)(const void* state, const TilePlan& plan, const certile_tensor& data,
                      const certile_tensor& out);

// A backend of this tree: what distinguishes it from the others.
struct BuiltInBackend {
  std::string name, version;
  bool moves_packed_types;  // false: elements narrower than a byte are unsupported
  Move move;
  std::shared_ptr<const void> state = nullptr;
};

// Fills the table of a backend that claims every definition, and returns CERTILE_OK.  The shape rules, the
// refusals and the claim are here, so that backends differ only in how they move elements.
std::int32_t fill_table(certile_plugin& table, BuiltInBackend backend);

}  // namespace certile::backends
