#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace certile {

// What `certile keep` is told on its command line.
struct KeepOptions {
  std::uint64_t memory_limit = 0;  // bytes that the command may write to; 0: none
  std::string command;
};

// Returns the words before the command: "keep" and the limit.
std::vector<std::string> keep_arguments(std::uint64_t memory_limit);
// Reads them, with the command behind them; nothing where they are others.
std::optional<KeepOptions> parse_keep_arguments(std::span<char* const> arguments);

// A worker's keeper: `certile keep LIMIT COMMAND`.  It runs the command under /bin/sh with its own standard
// streams, in a session and under a memory limit; every process that descends from the command and loses its
// parent comes to the keeper, so that none outlives it.  It ends as the command does.
//
// Descriptor Process::keeper_descriptor is a socket.  A process number in it means that this process, the
// fork server of a worker, is kept, and all others are to end; the keeper answers with one byte, and from
// then on ends with that process.  The end of the socket ends them all.
int run_keep(const KeepOptions& options);

}  // namespace certile
