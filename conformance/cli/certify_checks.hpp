#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/certify_command.hpp"
#include "conformance/cli/file_conflicts.hpp"
#include "conformance/cli/shard_environment.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// What is checked of the command line of `certify` before anything is started.

// Returns the exit code of a run that this error ends.
int exit_code_of(const Error& error) noexcept;

// Replaces "built-in" among the backends by the names of all that can run here.  Says which of them are slow
// and asked in smoke.
void name_built_in_backends(CertifyOptions& options, std::ostream& error);

// Returns a sentence if options cannot be given together.
std::optional<std::string> contradiction_in(const CertifyOptions& options);

std::vector<NamedFile> outputs_of(const CertifyOptions& options);
// Returns a sentence if the command line would overwrite an input, or write two outputs to one file.
std::optional<std::string> conflict_of(const CertifyOptions& options);

// Returns the shard that the value of --shard names; `by` is empty unless the environment was asked.  Errors:
// bad_literal, io.
Result<std::optional<GivenShard>> shard_of(const std::string& text);

}  // namespace certile::conformance
