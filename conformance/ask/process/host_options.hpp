#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/ask/process/surroundings.hpp"
#include "conformance/ask/sandbox/sandbox.hpp"
#include "conformance/ask/wire/control_block.hpp"

namespace certile::conformance {

// The options on the host's command line.
struct HostOptions {
  std::string spelling;            // of the backend, or a worker's command
  Layout layout{};                 // of a worker, which shares no memory: of 0 bytes
  std::uint64_t memory_limit = 0;  // bytes that the child may write to; 0: no limit
  Sandbox sandbox;                 // of the host and all its children
  Surroundings surroundings = Surroundings::bare();

  bool are_of_worker() const noexcept { return layout.request_bytes == 0; }
};

// Returns the words after "certile": "host", the sizes, the sandbox, the surroundings, the
// spelling.
std::vector<std::string> host_arguments(const HostOptions& options);
std::optional<HostOptions> parse_host_arguments(std::span<char* const> arguments);

}  // namespace certile::conformance
