#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace certile::conformance {

// Returns a sentence if the first argument should be a command and is none; the library would only say that a
// command is missing.
std::optional<std::string> unknown_command(const CLI::App& app, int argument_count, char** arguments);

}  // namespace certile::conformance
