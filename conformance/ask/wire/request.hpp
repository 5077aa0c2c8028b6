#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/ask/wire/wire.hpp"
#include "conformance/facts/claim.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// A wish for calls of `run` on plain memory, without guards, poison and a second run: to time them, or to
// make an output that is too large for the rig.
struct PlainCalls {
  std::int64_t timed = 0;   // calls to time, after one that is not; 0: one call, whose output is returned
  bool cold = false;        // the operands and the output are flushed from the caches before each timed call
  bool again = false;       // the operands are those of the request before, and need not be sent
  std::uint64_t begin = 0;  // of the returned part of the output; above 0 nothing is called
};

// The time that calls took together.
struct Timing {
  std::int64_t nanoseconds = 0;  // wall clock
  std::int64_t processors = 0;   // nanoseconds of processor time of all threads; a worker's is its wall clock
};

// A request to the child.  It has no expected elements, and only a digest of the expected shape, so that the
// child can decide whether to call `run` without knowing the answer.
struct Request {
  DefinitionId definition{};
  Placement placement;
  bool left_side_first = false;  // the run on the left side of memory comes first
  bool in_turn = false;          // one thread makes the concurrent calls, one after the other
  std::vector<Tensor> data;      // one per concurrent call
  Tensor repeats{ElementType::i64, {0}};
  std::optional<Tensor> axis;
  std::optional<std::uint64_t> shape_digest;  // of the expected shape; none if a refusal is expected
  // The shape for `run` if the backend has no `infer`; transferred only then.
  Shape fallback_shape;
  std::uint64_t reply_limit = 0;    // largest size of the reply, in bytes
  std::optional<PlainCalls> plain;  // nothing: the case is judged
};

// Returns different numbers for different shapes, as far as 64 bits can.
std::uint64_t shape_digest(const Shape& shape) noexcept;

// Writes a request.  `infers`: the backend has an `infer`, so the fallback shape is left out.
void write_request(WireWriter& writer, const Request& request, bool infers);
// Returns nothing if the bytes are not a request.
std::optional<Request> read_request(WireReader& reader);

// The reply of one of the two runs: the outputs, and what the rig found around the buffers.
struct RunReply {
  Status end = Status::not_called;
  std::string message;        // of a call that is ok: what is wrong with the output
  std::optional<Shape> came;  // the shape of the output, if it is wrong
  bool moved = false, reshaped = false, retyped = false;
  bool wrote_outside = false;     // guard bytes around the output have changed
  bool changed_input = false;     // an input, or guard bytes around one, have changed
  bool wrote_on_refusal = false;  // the backend refused, and the output has changed
  bool raced = false;             // a concurrent call gave other bytes than it gave before
  bool misplaced = false;         // the same call gave other bytes where its output is next to its data
  bool undid_a_change = false;    // of bytes next to the outputs of concurrent calls
  bool unwritten = false;         // a string's view holds the poison of either run
  bool like_first = false;        // the outputs are those of `runs[0]`, byte for byte, and not repeated here
  // The bytes for each concurrent call; a string tensor's as a StringOutput.
  std::vector<std::vector<std::byte>> outputs;
};

struct Reply {
  Status inferred = Status::not_called;
  // True if a call was not made, or its answer not checked, because the rig lacked threads or memory.
  bool not_possible = false;
  bool infers_differently = false;  // concurrent calls of `infer` gave two answers
  std::string message;              // of `infer`, or the reason for `not_possible`
  Shape shape;
  bool called_oracle = false;
  // What grew with every call of many: "descriptors: 1 in each call, …"; empty if nothing did.
  std::string leaked;
  std::string held;  // by the output before a run that was answered unlike the first; empty if not for this
  std::int64_t late_call = 0;  // the first of many calls that was answered unlike the calls before; 0: none
  std::string changed_state;   // what the calls since the process began have changed in it
  RunReply runs[2];            // on the right of the memory, then on its left
  Timing timing;               // of plain calls; then only the first of the runs is used
};

// Returns the reply for a call that could not be made, or whose answer could not be checked: `why`, or if
// that is empty, a lack of memory.
Reply not_possible(std::string why);
inline Reply without_memory() noexcept {
  return not_possible({});
}

// Returns the shape for `run` to fill, or nothing if it must not be called: `infer` gave another shape than
// is expected, or does not support this case.  A call that `infer` refused is made with an output of the
// data's shape, which must stay unchanged; one that it accepted although a refusal is expected, with the
// inferred shape, if that fits into `capacity` and is not large.
std::optional<Shape> shape_to_run(const Request& request, bool infers, const Reply& reply,
                                  std::size_t capacity);
// Normalizes a reply of two runs: an output that both gave is stored once, in the first, and outputs of calls
// that should have been refused are removed.
void settle_runs(Reply& reply, const Request& request);

void write_reply(WireWriter& writer, const Reply& reply);
std::optional<Reply> read_reply(WireReader& reader);

// A string tensor's output is transferred as u64 sizes, then the characters.  These sizes stand for an
// element that cannot be shown.
inline constexpr std::uint64_t unwritten_string = ~std::uint64_t{0};      // the view still holds poison
inline constexpr std::uint64_t oversized_string = ~std::uint64_t{0} - 1;  // the view is longer than any reply

}  // namespace certile::conformance
