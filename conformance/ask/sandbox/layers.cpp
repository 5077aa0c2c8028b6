#include "conformance/ask/sandbox/layers.hpp"

namespace certile::conformance {

std::string_view words_of(Layer layer) noexcept {
  static constexpr std::array<std::string_view, layer_count> words{
      "its own users (user namespace)",
      "file systems read-only but for a private folder of 256 MiB (mount namespace)",
      "no sight of other processes (process namespace)",
      "its own shared memory and message queues of System V (IPC namespace)",
      "no network (network namespace)",
      "at most 1024 processes and threads",
      "files of at most 256 MiB, 4096 of them open, no core files (resource limits)",
      "no rights of root but to read files, and none to gain (capabilities)",
      "files written in the private folder alone (Landlock)",
      "files truncated in the private folder alone (Landlock)",
      "no TCP (Landlock)",
      "no signals to other processes (Landlock)",
      "no system calls for sockets, tracing, mounting, namespaces, keys and the kernel's administration "
      "(seccomp)",
  };
  return words[static_cast<std::size_t>(layer)];
}

std::string words_of(const SandboxFound::Refused& refused) {
  return std::string(words_of(refused.layer)) + ": " + refused.why;
}

}  // namespace certile::conformance
