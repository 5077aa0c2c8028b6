#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "conformance/run/installation.hpp"

namespace certile::conformance {

// Runs `certile environments [make NAME...]`: makes the private Python environments of these runtimes, or,
// without names, lists all.  The installed program environments.py does the work, and says what each costs
// first.  Returns the exit code: 0; 2 for an unknown name or without an installation; 3 if one could not be
// made.
int environments_command(const std::vector<std::string>& names, const Installation& installation,
                         std::ostream& error);

}  // namespace certile::conformance
