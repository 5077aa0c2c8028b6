#pragma once
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/claim.hpp"

namespace certile::conformance {

// Returns why it is not known which files a worker runs, whose command has files with these digests: a shell
// looks something up, code is in the command itself, or a file that it names is not among them.  Nothing if
// it is known, or if the spelling is no worker's.
std::optional<std::string> unknown_file_of(const std::string& spelling, const std::vector<Part>& parts);

}  // namespace certile::conformance
