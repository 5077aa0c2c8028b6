#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/plugin/plugin.hpp"
#include "reference/values/result.hpp"

namespace certile::backends {

// A backend that certile knows by name.
struct BuiltIn {
  std::string_view name;
  std::string_view summary;  // one line, for `certile list`
  std::string_view missing;  // why it is not in this build: "not built: Eigen3 not found"; empty: it is
  PluginOpen open;           // null when missing
  bool (*supported)();       // false if this processor lacks an instruction set; null: all have it
  bool is_slow;              // takes minutes for what takes others seconds

  // Returns why it cannot be opened here: `missing`, or "not supported by this CPU"; empty if it can.
  std::string_view unavailable() const;
};

// Returns them in the order of the list in backends/CMakeLists.txt.
std::span<const BuiltIn> built_in_backends();

// Opens BACKEND: a built-in name, or the path of a shared library (it contains a '/').  Errors: unsupported
// (no such name, or not in this build), io (no such file, not a library, without the symbol, of another ABI
// major, refuses to open).  Each message names the backend and the remedy.  Loading runs foreign code, so
// only the host process does it.
Result<Plugin> open_backend(std::string_view spelling);

// Returns true for spellings that name a shared library.
bool is_library(std::string_view spelling) noexcept;

// Returns the COMMAND of `worker:COMMAND`, or nothing for other spellings.
std::optional<std::string> worker_command(std::string_view spelling);

}  // namespace certile::backends
