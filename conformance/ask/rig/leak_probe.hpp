#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// Returns the number of processes that calls in this process have started and left: its children, and those
// that its host adopted when their parents ended.  0 if the system does not show them.
std::int64_t left_processes() noexcept;

// A repeater of a request's call, with other shapes, strings, repeats and threads, that finds what an
// implementation keeps for good.  The answers are not checked.  A result says what grows, as
// Growth::charge does; it is empty if nothing grows, if the calls are too slow, or if the system lacks a
// thread.
class LeakProbe {
 public:
  // Takes `shape`, the output's shape in the calls of the request.  Everything outlives this object.
  LeakProbe(const backends::Plugin& backend, const Request& request, const Shape& shape, CallClock& calls);

  // [CT-LEAK] Returns the first thing that is kept by the kinds of calls below.
  std::string kept() const;

  // [CT-ALIAS] Makes the call of as many other strings from many threads.
  void call_with_other_strings() const;

 private:
  // Makes each call in a thread that ends after it.
  std::string kept_of_ended_threads() const;
  // Asks for the shape, and not for the elements.
  std::string kept_of_inferences() const;
  // Asks for the shape of data of another shape each time, where all of them are refused.
  std::string kept_of_refusals() const;
  // Makes each call with data of another shape.
  std::string kept_of_new_shapes() const;
  // Makes each call with other repeats of data of one element.
  std::string kept_of_new_repeats() const;

  bool data_has_axes() const;
  void make_call(const TensorView& data, const TensorView& repeats, const Shape& output,
                 std::span<std::byte> buffer) const;

  const backends::Plugin& backend_;
  const Request& request_;
  const Shape& shape_;
  CallClock& calls_;
};

}  // namespace certile::conformance
