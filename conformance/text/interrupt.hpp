#pragma once
#include <atomic>

namespace certile::conformance {

// Returns a flag that is set once the user asks to stop (SIGINT, SIGTERM).  A second request ends the program
// at once.
const std::atomic<bool>& interrupted();

// Makes such a request set `interrupted()` from now on, and turns signals that would end the program during a
// write (SIGPIPE, SIGXFSZ) into errors of that write.
void watch_for_interrupts();

}  // namespace certile::conformance
