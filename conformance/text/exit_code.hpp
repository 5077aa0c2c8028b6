#pragma once

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

}  // namespace certile::conformance
