#pragma once
#include "backends/plugin/claim.hpp"
#include "backends/plugin/status.hpp"

namespace certile::conformance {

// A backend's words about itself and about a call, which every part uses.
using backends::Claim, backends::Part, backends::Status;

// The properties of the transport to a backend: what it shows the judge.
struct Transport {
  // True: the rig owns the buffers, and sees bounds, inputs, places and threads.  False: the backend computes
  // in another process and never sees the caller's memory.
  bool shares_memory = true;
  bool operator==(const Transport&) const = default;
};
inline constexpr Transport shared_memory{.shares_memory = true}, message_pipe{.shares_memory = false};

}  // namespace certile::conformance
