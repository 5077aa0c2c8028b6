#pragma once
#include <atomic>
#include <cstddef>

namespace certile::conformance {

// The exit codes of the program.
enum ExitCode : int {
  exit_conformant = 0,
  exit_not_conformant = 1,
  exit_bad_command = 2,  // wrong command line, unreadable or unwritable file
  exit_own_failure = 3,  // certile itself failed
  exit_not_loaded = 4,   // a backend could not be loaded or started
  exit_nothing_run = 5,
  exit_interrupted = 130,
};

// Returns the exit code for several backends: the first of 130, 3, 4, 1, 5, 0 that occurred.
int graver(int left, int right) noexcept;

// Returns a flag that is set once the user asks to stop (SIGINT, SIGTERM).  A second request ends the program
// at once.
const std::atomic<bool>& interrupted();

// Makes such a request set `interrupted()` from now on, and turns signals that would end the program during a
// write (SIGPIPE, SIGXFSZ) into errors of that write.
void watch_for_interrupts();

// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that no file opened later gets its
// number and the output printed to it.  Reading and writing there fail, as they did before.
void hold_standard_streams() noexcept;

// Returns true if the descriptor is a terminal that understands escape sequences: not one with TERM=dumb.
bool is_terminal(int descriptor) noexcept;

// Returns true if text to this descriptor may have colours: it is a terminal, and NO_COLOR is not set.
bool wants_colour(int descriptor) noexcept;

// Returns the number of columns of the terminal, at least 60; `otherwise` if the descriptor is none.
std::size_t columns_of(int descriptor, std::size_t otherwise) noexcept;

}  // namespace certile::conformance
