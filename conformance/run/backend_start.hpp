#pragma once
#include <optional>
#include <string>

#include "backends/plugin/claim.hpp"
#include "conformance/ask/asker.hpp"
#include "reference/values/result.hpp"

namespace certile {

// What keeps a BACKEND from being judged: a sentence for the user and the exit code that goes with it.
struct StartFailure {
  std::string sentence;
  int exit_code;
};

// Checks the spelling before any process is started: an unknown built-in name is a wrong command line; one
// that is not in this build could not be loaded.
std::optional<StartFailure> check_spelling(const std::string& spelling);

// The claim of a backend, as its own process gives it.
struct Started {
  std::optional<Claim> claim;
  std::optional<StartFailure> failure;  // where there is no claim
};
Started start_backend(const IsolateOptions& options);

// The layers of isolation that are active, and those that are not, as reports name them.
std::vector<std::string> isolation_layers(const IsolateOptions& options);

}  // namespace certile
