#pragma once
#include <span>
#include <string>

namespace certile::conformance {

// Returns the command that starts certile in gdb, follows it into the process that calls the library, and
// stops there: at the signal of a crash, or else where the library is opened.
std::string debugger_line(const std::string& spelling, std::span<const std::string> literals,
                          bool has_crashed);

}  // namespace certile::conformance
