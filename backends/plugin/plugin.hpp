#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "backends/plugin/certile_plugin.h"
#include "backends/plugin/claim.hpp"
#include "backends/plugin/status.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

using PluginOpen = std::int32_t (*)(std::uint32_t host_major, std::uint32_t host_minor,
                                    certile_plugin* plugin);

// The answer of `infer`.  The shape is passed on as it came, including negative or astronomical dimensions.
struct Inferred {
  Status status = Status::not_called;
  std::string message = {};  // of a status that is not ok
  Shape shape = {};          // of one that is
};

// The answer of `run`, and what it changed besides the output's bytes.
struct Ran {
  Status status = Status::not_called;
  std::string message = {};         // of a status that is not ok
  bool moved = false;               // the descriptor has another data pointer now, or says another alignment
  bool reshaped = false;            // its rank, shape or byte size
  bool retyped = false;             // its element type or bits
  bool overran = false;             // it wrote a message that does not end within its room
  std::optional<Shape> shape = {};  // the present shape, if that can be read
  bool changed_descriptor() const noexcept { return moved || reshaped || retyped; }
};

// The table of a backend, linked in or loaded, and the one place that calls it.  Calls report what the
// table's functions did, without judgement:
//   - an unknown status, an exception that escapes, a rank that is negative or above the capacity, and a
//   message or dimensions beyond their room are Status::failed;
//   - a refusal of a call whose descriptor was changed is Status::failed too, and keeps its flags;
//   - messages are cut to 1,023 bytes and not escaped: callers escape them before printing;
//   - without `infer` (Claim::infers is false) `infer` is unsupported.
// Several calls may be under way at once.  They throw std::bad_alloc where this process has no memory for
// what surrounds a call.
class Plugin {
 public:
  static constexpr std::uint32_t usual_room = 1024;  // bytes for a message
  // Opens a table.  `origin` names it in errors: the path of a library, or the name of a backend that is
  // linked in.  Errors (Code::io): it refuses to open, it has another ABI major (it is then left untouched),
  // or its table is unusable.
  static Result<Plugin> open(const std::string& origin, PluginOpen open);
  // Loads a shared library and opens its table.  Errors as above, and (Code::io): no such file, not a
  // library, without the symbol.  The library is never unloaded, because its threads and exit handlers may
  // still run its code, and a crash there would be charged to the next backend.
  static Result<Plugin> load(std::string_view path);

  Plugin(Plugin&& other) noexcept;
  Plugin& operator=(Plugin&& other) = delete;
  ~Plugin();

  const Claim& claim() const noexcept { return claim_; }
  // Returns the table itself, for callers that measure its functions.
  const certile_plugin& table() const noexcept { return table_; }

  Inferred infer(const certile_call& call) const;
  // Fills `out`, whose shape `infer` returned.
  Ran run(const certile_call& call, const certile_tensor& out,
          std::uint32_t room_for_message = usual_room) const;

 private:
  Plugin(const certile_plugin& table, Claim&& claim) : table_(table), claim_(std::move(claim)) {}

  certile_plugin table_;
  Claim claim_;
};

}  // namespace certile::backends
