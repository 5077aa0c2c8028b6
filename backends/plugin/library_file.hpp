#pragma once
#include <optional>
#include <string>

namespace certile::backends {

// Returns the reason why the dynamic loader cannot load this file, as far as the file itself shows it: it is
// for another processor, no shared library, or cut short.  Loading a file that was cut short ends the
// process, and the loader says of a file for another processor that there is none.  Returns nothing for a
// file that is not in the ELF format, which the loader explains well.
std::optional<std::string> unloadable_because(const std::string& path);

// Returns true for a file in the ELF format that the system starts as a program.
bool is_program(const std::string& path);

}  // namespace certile::backends
