#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "backends/plugin/plugin.hpp"
#include "backends/plugin/plugin_call.hpp"
#include "conformance/ask/rig/arena.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// A call that is made again and again into the same output, and its first answer.
class SoakedCall {
 public:
  // Takes what `output` holds as the answer, unless the call ended otherwise than ok.  `shape` is the
  // output's.  Everything outlives this object.
  SoakedCall(const backends::Plugin& backend, const Request& request, const Shape& shape, Arena& output,
             ControlBlock& control, Status ended);

  bool is_text() const noexcept { return type_ == ElementType::string; }
  bool is_answered() const noexcept { return ended_ == Status::ok; }
  const backends::Plugin& backend() const noexcept { return backend_; }
  const Request& request() const noexcept { return request_; }
  const Shape& shape() const noexcept { return shape_; }
  std::span<std::byte> output() const noexcept { return output_.written(); }

  // Infers the shape of a call, in whatever thread.
  backends::Inferred infer(const certile_call& call) const;
  // Fills the output with the call's answer.
  backends::Ran run(const certile_call& call) const;
  // Fills the output with the pattern first.
  backends::Ran run(const certile_call& call, std::byte pattern) const;
  // Fills the output with the answer that the call gives at another place, which has the pattern first. Other
  // threads may make other calls meanwhile.
  backends::Ran run_at(std::span<std::byte> place, const certile_call& call, std::byte pattern) const;
  // Returns true if the call, before which the output had this pattern, was answered like the first one.
  bool is_alike(const backends::Ran& ran, std::byte pattern) const;

 private:
  std::vector<std::byte> strings(std::byte pattern) const;

  const backends::Plugin& backend_;
  const Request& request_;
  const Shape& shape_;
  Arena& output_;
  ControlBlock& control_;
  ElementType type_;
  Status ended_;
  std::byte last_used_;  // the bits of the last byte that belong to elements
  std::vector<std::byte> first_;
};

}  // namespace certile::conformance
