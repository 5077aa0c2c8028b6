#pragma once
#include <cstddef>
#include <memory>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// Returns the processor time of all threads of this process.
double seconds_of_processors() noexcept;

// The largest part of an output in one reply.
inline constexpr std::size_t largest_part = std::size_t{16} << 20;

// The answers to requests with `plain`: calls on warm memory (warm_memory.hpp), which stays until the request
// that does not say `again`.
class PlainCaller {
 public:
  PlainCaller();
  PlainCaller(PlainCaller&& other) noexcept;
  PlainCaller& operator=(PlainCaller&&) = delete;
  ~PlainCaller();

  // Makes the calls of the request.  A timed batch is one untimed call, and then all timed ones; hot, the
  // clocks are read before the first and after the last of them, cold, around each.  A call whose output is
  // returned gets an output of random bytes.  The phase and the clock of calls of `control` are those of one
  // call, however many there are.  If there is no memory, the reply reports that.
  Reply answer(const backends::Plugin& backend, Request request, ControlBlock& control);

 private:
  struct Operands;

  Reply answer_with_memory(const backends::Plugin& backend, Request request, ControlBlock& control);
  // Replaces the operands.  If `infer` gives no reason to call `run`, there are none, and the reply says why.
  void place(const backends::Plugin& backend, Request request, ControlBlock& control, Reply& reply);
  backends::Ran run_once(const backends::Plugin& backend) const;
  backends::Ran time(const backends::Plugin& backend, const PlainCalls& asked, Timing& timing) const;

  std::unique_ptr<Operands> operands_;
};

}  // namespace certile::conformance
