#pragma once
#include <sys/types.h>

#include <cstddef>
#include <span>

#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/host_options.hpp"

namespace certile {

// What a child has of its host.
struct HostTies {
  pid_t host;              // with whose end it ends
  int output;              // where what it prints goes
  OpenBackend open;        // what opens the backend
  Lives* lives = nullptr;  // where its worker may come from, and outlive it
};

// The life of a child of the host: gives up what it need not have, opens the backend, answers batches, ends.
[[noreturn]] void serve_in_child(const HostOptions& options, std::span<std::byte> requests,
                                 std::span<std::byte> replies, HostTies ties);

}  // namespace certile
