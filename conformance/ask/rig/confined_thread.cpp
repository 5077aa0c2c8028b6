#include "conformance/ask/rig/confined_thread.hpp"

#include <sched.h>

namespace certile::conformance {

// Where the system refuses, the thread keeps its processors, and calls are made as usual.
ConfinedThread::ConfinedThread() : before_(ThreadState::now()) {
  cpu_set_t all{}, one{};
  sched_getaffinity(0, sizeof all, &all);
  int first = 0;
  while (first + 1 < CPU_SETSIZE && !CPU_ISSET(static_cast<std::size_t>(first), &all))
    ++first;
  CPU_SET(static_cast<std::size_t>(first), &one);
  sched_setaffinity(0, sizeof one, &one);
  confined_ = ThreadState::now();
}

}  // namespace certile::conformance
