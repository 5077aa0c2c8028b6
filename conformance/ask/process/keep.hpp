#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/ask/sandbox/sandbox.hpp"

namespace certile::conformance {

// The options on the command line of `certile keep`.
struct KeepOptions {
  std::uint64_t memory_limit = 0;  // bytes that the command may write to; 0: no limit
  Sandbox sandbox;                 // of the keeper and the command
  std::string command;
};

// Returns the words before the command: "keep", the limit and the sandbox.
std::vector<std::string> keep_arguments(std::uint64_t memory_limit, const Sandbox& sandbox);
// Reads those words, and the command after them; returns nothing for other words.
std::optional<KeepOptions> parse_keep_arguments(std::span<char* const> arguments);

// Runs a worker's keeper: `certile keep LIMIT LAYERS FOLDER COMMAND`.  The keeper runs the command under
// /bin/sh with the keeper's standard streams, in a session and under a memory limit; it adopts every orphan
// that descends from the command, so that none outlives it.  The keeper ends as the command does.
//
// Descriptor Process::keeper_descriptor is a socket.  A process number in it names the fork server of a
// worker, which is kept while all other processes are ended; the keeper answers with one byte, and from then
// on ends with that process.  The end of the socket ends them all.
int run_keep(const KeepOptions& options);

}  // namespace certile::conformance
