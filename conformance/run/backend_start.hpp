#pragma once
#include <optional>
#include <string>

#include "conformance/ask/asker.hpp"
#include "conformance/facts/claim.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A reason that a BACKEND cannot be judged: a sentence for the user, and the exit code.
struct StartFailure {
  std::string sentence;
  int exit_code;
};

// Checks the spelling before any process is started.  An unknown built-in name is a wrong command line; a
// name that is not in this build could not be loaded.
std::optional<StartFailure> check_spelling(const std::string& spelling);

// The claim of a backend, from its own process, and its transport, or the reason that there is none.
struct Started {
  std::optional<Claim> claim;
  Transport transport;
  std::optional<StartFailure> failure;
};
Started start_backend(const IsolateOptions& options);

// Returns the layers of isolation, active or not, in the words of reports.
std::vector<std::string> isolation_layers(const IsolateOptions& options);

}  // namespace certile::conformance
