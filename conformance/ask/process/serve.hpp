#pragma once
#include <sys/types.h>

#include <cstddef>
#include <span>

#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/host_options.hpp"

namespace certile {

// The life of a child of the host: gives up what it need not have, opens the backend, answers batches, ends.
// `host`: the process with whose end it ends; `output`: where what it prints goes; `open` opens the backend.
[[noreturn]] void serve_in_child(const HostOptions& options, std::span<std::byte> requests,
                                 std::span<std::byte> replies, pid_t host, int output, OpenBackend open);

}  // namespace certile
