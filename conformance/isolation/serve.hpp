#pragma once
#include <cstddef>
#include <span>

#include "conformance/isolation/host_options.hpp"

namespace certile {

// The life of a child of the host: gives up what it need not have, opens the backend, answers batches, ends.
// `output` is where what it prints goes.
[[noreturn]] void serve_in_child(const HostOptions& options, std::span<std::byte> requests,
                                 std::span<std::byte> replies, int output);

}  // namespace certile
