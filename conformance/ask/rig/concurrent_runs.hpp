#pragma once
#include <string>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile {

// Thrown for a call that the rig could not make, or whose answer it could not look at.
struct NotPossible {
  std::string why;
};

// `placement.threads` threads call `run` on one backend, each 1,000 times with data and an output of its own,
// the output poisoned anew each time.  Each thread's outputs must be the same every time; the reply has each
// thread's first output, or the first that differs from it.  `calls` is told of every call.
// Beside them the calling thread makes calls of another shape, as long as they last.  With `request.in_turn`
// one thread makes all these calls, one after the other.
// Throws NotPossible where the system gives fewer threads, and std::bad_alloc where it gives no memory for
// what they need: then no call is judged.
RunReply run_concurrently(const Plugin& backend, const Request& request, const Shape& shape,
                          CallClock& calls);

}  // namespace certile
