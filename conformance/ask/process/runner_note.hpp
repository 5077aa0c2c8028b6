#pragma once
#include <optional>
#include <string>

namespace certile::conformance {

// Returns the version of certile's runner that a program links, as the mark in the file says; nothing for
// every other file.  The file is read and not started.  conformance/runner/runner.cpp makes the mark.
std::optional<std::string> runner_version(const std::string& path);

}  // namespace certile::conformance
