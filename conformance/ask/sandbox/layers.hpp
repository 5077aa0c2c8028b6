#pragma once
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"

namespace certile::conformance {

// The layers of the sandbox, each of which the kernel may refuse.  Later ones may need earlier ones.
enum class Layer : std::uint8_t {
  user,       // a user namespace, without which an ordinary user gets no other namespace
  mounts,     // a mount namespace, in which everything is read-only
  processes,  // a process namespace with its own /proc; needs `mounts`
  messages,   // an IPC namespace
  network,    // a network namespace
  number,     // a limit of the number of processes and threads; needs `user` or `processes`
  sizes,      // limits of files
  rights,     // no capabilities
  files,      // Landlock: nothing is written outside of the private folder
  lengths,    // Landlock: nothing is truncated outside of it
  tcp,        // Landlock
  signals,    // Landlock: signals and abstract sockets stay inside
  calls,      // seccomp
};
inline constexpr std::size_t layer_count = 13;

// A set of layers, as bits.
using Layers = std::uint32_t;

constexpr Layers bit(Layer layer) noexcept {
  return Layers{1} << static_cast<unsigned>(layer);
}
constexpr bool has(Layers layers, Layer layer) noexcept {
  return (layers & bit(layer)) != 0;
}
inline constexpr Layers all_layers = (Layers{1} << layer_count) - 1;

// The limits of the layers `number` and `sizes`.
inline constexpr std::uint64_t most_processes = 1024, most_open_files = 4096,
                               largest_file = std::uint64_t{256} << 20;

// Returns what a layer does, in the words of reports: "no network (network namespace)".
std::string_view words_of(Layer layer) noexcept;

// The layers that this machine allows, and the others with the reasons.
struct SandboxFound {
  struct Refused {
    Layer layer;
    std::string why;
  };
  Layers layers = 0;
  std::vector<Refused> refused;
};

// Returns what the layer would do, and why it does not.
std::string words_of(const SandboxFound::Refused& refused);

// Returns the error of the system call that just failed: what was tried, and the system's words for errno.
inline Error error_of(const std::string& what) {
  return {Error::Code::io, what + ": " + std::strerror(errno)};
}

}  // namespace certile::conformance
