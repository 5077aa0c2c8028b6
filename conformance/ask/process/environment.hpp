#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/asker.hpp"

namespace certile::conformance {

// Returns true for NAME=VALUE, where NAME is a word that a shell accepts as the name of a variable.
bool is_variable(std::string_view text);

// Returns the environment of the host: variables by which a program finds its libraries and its sanitizer's
// options, the number of threads, settings of the backends of this tree if one of them is judged, and none by
// which a library could detect that it is being judged; or this process's environment, if nothing is judged.
// Those of `options.environment` are added, or replace others, and then those of a user's program are added
// as far as `options.surroundings` has them.
std::vector<std::string> host_environment(const IsolateOptions& options);

// Returns the shell command that runs a worker's command with these variables added to its environment.
std::string in_environment(const std::string& command, const std::vector<std::string>& variables);

}  // namespace certile::conformance
