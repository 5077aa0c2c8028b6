#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/run/installation.hpp"

namespace certile::conformance {

// Prints `certile list`: backends, with the reason if one is not built; definitions; element types; tiers. If
// `names_only`, prints only the names of the built-in backends in this build, one on each line.
// `is_installed` if the program has the workers of runtimes.
void list_command(std::ostream& out, bool names_only, bool is_installed);

// Runs `certile explain WORD`: says what a clause requires, or what a word of a report means; without words,
// lists all that have an explanation.  Returns the exit code: 0, or 2 for a word without one.
int explain_command(const std::vector<std::string>& words, std::size_t width, std::ostream& out,
                    std::ostream& error);

// Runs `certile environments [make NAME...]`: makes the private Python environments of these runtimes, or,
// without names, lists all.  The installed program environments.py does the work, and says what each costs
// first.  Returns the exit code: 0; 2 for an unknown name or without an installation; 3 if one could not be
// made.
int environments_command(const std::vector<std::string>& names, const Installation& installation,
                         std::ostream& error);

}  // namespace certile::conformance
