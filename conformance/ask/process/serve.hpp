#pragma once
#include <sys/types.h>

#include <cstddef>
#include <span>

#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/host_options.hpp"

namespace certile::conformance {

// Runs a child of the host: restricts itself, opens the backend with `open`, answers batches, and ends, also
// when the process `host` ends.  `output`: the descriptor for the output of the child.
[[noreturn]] void serve_in_child(const HostOptions& options, std::span<std::byte> requests,
                                 std::span<std::byte> replies, pid_t host, int output, OpenBackend open);

}  // namespace certile::conformance
