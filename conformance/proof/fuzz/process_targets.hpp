#pragma once
#include "conformance/proof/fuzz/fuzz_target.hpp"

namespace certile::conformance {

// Reads output of a process in which a backend ran: a child's words in shared memory, or a worker's messages.
void fuzz_request(std::span<const std::byte> input);
void fuzz_reply(std::span<const std::byte> input);
void fuzz_claim(std::span<const std::byte> input);
void fuzz_message(std::span<const std::byte> input);

}  // namespace certile::conformance
