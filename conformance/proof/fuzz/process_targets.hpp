#pragma once
#include "conformance/proof/fuzz/fuzz_target.hpp"

namespace certile {

// What comes out of a process that a backend has been in: the child's words through shared memory, and a
// worker's messages.
void fuzz_request(std::span<const std::byte> input);
void fuzz_reply(std::span<const std::byte> input);
void fuzz_description(std::span<const std::byte> input);
void fuzz_message(std::span<const std::byte> input);

}  // namespace certile
