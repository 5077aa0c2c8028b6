#pragma once
#include <string>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// An exception for a call that the rig could not make, or whose answer it could not check.
struct NotPossible {
  std::string why;
};

// The reply of the concurrent calls together, and what they left changed in a thread that made them, in
// words; empty if nothing is.
struct ConcurrentReply {
  RunReply run;
  std::string changed_state;
};

// The answers of concurrent inferences of one call: the first one, and whether they differ.
struct ConcurrentInferred {
  backends::Inferred inferred;
  bool differ = false;
};

// Infers the shape of the call from `placement.threads` threads, which begin together, a hundred times each;
// with `request.in_turn` from one thread.  Throws NotPossible if the system gives fewer threads.
ConcurrentInferred infer_concurrently(const backends::Plugin& backend, const Request& request,
                                      CallClock& calls);

// Calls `run` on one backend from `placement.threads` threads, each 1,000 times, less often if outputs are
// large, or more if few of these calls met another, with separate data and a separate output, poisoned before
// each call.  A thread's outputs must all be the same; the reply has each thread's first output, or the first
// that differs from it.  `calls` counts every call. Meanwhile the calling thread makes calls of
// another shape, and so does each thread after a share of its calls.  With `request.in_turn` one thread makes
// all these calls, one after the other. Throws NotPossible if the system gives fewer threads, and
// std::bad_alloc if it gives too little memory: then no call is judged.
ConcurrentReply run_concurrently(const backends::Plugin& backend, const Request& request, const Shape& shape,
                                 CallClock& calls);

}  // namespace certile::conformance
