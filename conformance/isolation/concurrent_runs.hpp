#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "backends/backend.hpp"
#include "conformance/isolation/request.hpp"

namespace certile {

// `placement.threads` threads call `run` on one backend, each 1,000 times with data and an output of its own,
// the output poisoned anew each time.  Each thread's outputs must be the same every time; the reply has each
// thread's first output, or the first that differs from it.  `heartbeat` grows with every call.
// Beside them the calling thread makes calls of another shape, as long as they last.  With `request.in_turn`
// one thread makes all these calls, one after the other.
RunReply run_concurrently(Backend& backend, const Request& request, const Shape& shape,
                          std::atomic<std::uint64_t>& heartbeat);

}  // namespace certile
