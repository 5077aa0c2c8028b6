#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "backends/plugin/plugin.hpp"
#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/arena.hpp"
#include "conformance/ask/rig/growth.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// The buffers around a call.  Each case is run twice: once with every buffer's end flush against unreadable
// memory and the output poisoned with one pattern, once with every beginning so and the opposite pattern.  An
// unwritten byte keeps both patterns; one byte too far faults, on one side or the other.  Between the two
// runs the shape of the case before is inferred again, because callers with several shapes infer them all and
// run later.
class Rig {
 public:
  static constexpr std::array<std::byte, 2> poison{std::byte{0xa5}, std::byte{0x5a}};

  // Creates arenas for inputs and outputs of up to `capacity` bytes.  `control` records calls and faults.
  static Result<Rig> create(std::size_t capacity, ControlBlock& control);

  // Makes all calls of the request.  If the rig itself lacks memory or threads, the reply reports that and no
  // fault.
  Reply answer(const backends::Plugin& backend, const Request& request);

  // Returns the rig that explains a memory fault to a signal handler; null if none is in use.
  static const Rig* current() noexcept;
  // Records the meaning of a fault at `address` in the control block.
  void note_fault(const void* address, bool writing) const noexcept;
  // Records that the processor refused an access without naming an address.
  void note_refused_access() const noexcept;

 private:
  Rig(std::vector<Arena> arenas, ControlBlock& control) : arenas_(std::move(arenas)), control_(&control) {}

  Reply make_calls(const backends::Plugin& backend, const Request& request);
  // Places the data, its shape, repeats and axis for the run on one side.  Returns false if one does not fit.
  bool place_inputs(const Request& request, Spot spot, int side);
  // Places the shape of the data between unreadable pages.  Returns false if it does not fit.
  bool place_shape(const Shape& shape, int side) noexcept;
  // Returns the bytes of the data where they were placed last.
  std::span<const std::byte> bytes_of_data(const Request& request) const noexcept;
  backends::PluginCall call_of(const Request& request) const noexcept;
  bool inputs_unchanged(const Request& request) const noexcept;
  // Infers the shape of the request, from all its threads.
  backends::Inferred infer(const backends::Plugin& backend, const Request& request, Reply& reply);
  // Runs once.  `earlier`: the other run, if it came first; an equal output is not stored again.
  RunReply run_once(const backends::Plugin& backend, const Request& request, const Shape& shape, int side,
                    const RunReply* earlier);
  // [CT-WRITE] Runs a third time, in a share of the calls, where the second run was made.  If the answer is
  // unlike the first, makes it that of the second run, and sets `held` if what the output held decides.
  void run_prefilled(const backends::Plugin& backend, const Request& request, const Shape& shape,
                     Reply& reply);
  // Makes the reply of a call that came back, from what is in the buffers.
  RunReply reply_of(const Request& request, const Shape& shape, std::byte pattern, backends::Ran ran,
                    const RunReply* earlier);
  // [CT-LEAK] [CT-STEADY] Repeats a call many times, with unlike ones among them, where the second run was
  // made.  Sets `leaked`, and for an answer unlike the first `late_call` and the second run.
  void soak(const backends::Plugin& backend, const Request& request, const Shape& shape, Reply& reply);
  void collect(const Request& request, const Shape& shape, std::byte pattern, const RunReply* earlier,
               RunReply& reply);

  // Records what an address says that is next to no buffer.
  void note_cause(const void* address, bool writing) const noexcept;

  // Keeps the operands of the request, unless they are large.
  void keep(const Request& request);
  // Infers the shape of the request before this one again, between the two runs of this one.
  void infer_earlier(const backends::Plugin& backend);

  enum Buffer : std::size_t {
    data_operand,
    repeats_operand,
    axis_operand,
    output_operand,
    characters,  // of the data's strings
    dimensions,  // the data's shape
    operand_count
  };

  struct Earlier {
    DefinitionId definition;
    Tensor data, repeats;
    std::optional<Tensor> axis;
  };

  std::vector<Arena> arenas_;                    // in the order of Buffer
  std::optional<std::vector<std::byte>> views_;  // of strings as data, if their characters were placed
  ControlBlock* control_;
  std::optional<Earlier> earlier_;
  bool overran_ = false;                  // a run of the present request wrote a message beyond its room
  std::uint32_t little_room_ = 0;         // for the message of one of its runs, in bytes
  std::optional<Amounts> after_first_;    // what the process had after its first request
  std::vector<std::byte> earlier_views_;  // a string tensor's output after the first of its two runs
};

}  // namespace certile::conformance
