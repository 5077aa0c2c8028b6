#pragma once
#include <string>

#include "conformance/ask/rig/thread_state.hpp"

namespace certile::conformance {

// A period in which the calling thread may use one processor alone.  At its end the thread has the settings
// that it had before.
class ConfinedThread {
 public:
  ConfinedThread();
  ConfinedThread(const ConfinedThread&) = delete;
  ConfinedThread& operator=(const ConfinedThread&) = delete;
  ~ConfinedThread() { before_.put_back(); }

  // Returns the settings of the thread that have changed since the period began, in words; empty if none has.
  std::string changed() const { return ThreadState::now().changed_since(confined_); }

 private:
  ThreadState before_, confined_;
};

}  // namespace certile::conformance
