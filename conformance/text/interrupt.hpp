#pragma once
#include <atomic>

namespace certile {

// Set once the user has asked to stop (SIGINT, SIGTERM).  A second request ends the program at once.
const std::atomic<bool>& interrupted();

// From now on such a request sets `interrupted()`, and what would end the program in the middle of a write
// (SIGPIPE, SIGXFSZ) is an error of that write.
void watch_for_interrupts();

}  // namespace certile
