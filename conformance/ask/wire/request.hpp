#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/plugin/status.hpp"
#include "conformance/ask/wire/wire.hpp"
#include "reference/values/case.hpp"

namespace certile {

// What the child is asked.  The expected elements are not in it, and of the expected shape only a digest, so
// that it can tell whether `run` may be called without being told the answer.
struct Request {
  DefinitionId definition{};
  Placement placement;
  bool left_side_first = false;  // the second of the two runs comes first: tells placement from order
  bool in_turn = false;          // one thread makes the concurrent calls, one after the other
  std::vector<Tensor> data;      // one per concurrent call
  Tensor repeats{ElementType::i64, {0}};
  std::optional<Tensor> axis;
  std::optional<std::uint64_t> shape_digest;  // of the shape that is due; none where a refusal is
  // What `run` fills where the backend has no `infer`; only then does it travel.
  Shape fallback_shape;
  std::uint64_t reply_limit = 0;  // bytes that the reply may take
};

// Differs for different shapes, as far as 64 bits can.
std::uint64_t shape_digest(const Shape& shape) noexcept;

// `infers`: whether the backend has an `infer`, and needs no other shape.
void write_request(WireWriter& writer, const Request& request, bool infers);
// Nothing when the bytes are not a request.
std::optional<Request> read_request(WireReader& reader);

// One of the two runs: what came back, and what the rig saw around the buffers.
struct RunReply {
  Status end = Status::not_called;
  std::string message;        // of a call that is ok: what came in place of the output
  std::optional<Shape> came;  // the shape that it gave, where that is not the output's
  bool moved = false, reshaped = false, retyped = false;
  bool wrote_outside = false;     // guard bytes beside the output are others now
  bool changed_input = false;     // or beside the inputs, or in them
  bool wrote_on_refusal = false;  // it refused, and the output is not as it was
  bool raced = false;             // a concurrent call gave other bytes than it gave before
  bool unwritten = false;         // a string's view holds the poison of either run
  bool like_first = false;        // the outputs are those of `runs[0]`, byte for byte, and not repeated here
  // Per concurrent call, the bytes; a string tensor's as a StringOutput.
  std::vector<std::vector<std::byte>> outputs;
};

struct Reply {
  Status inferred = Status::not_called;
  // A call was not made, or its answer not looked at, for want of threads or memory of the rig's own.
  bool not_possible = false;
  std::string message;  // of infer, or of what was not possible
  Shape shape;
  bool called_oracle = false;
  std::string changed_state;  // what the calls since the process began left changed in it
  RunReply runs[2];           // on the right of the memory, then on its left
};

// The reply where a call could not be made, or its answer not be looked at: `why`, or where nothing is said,
// for want of memory.
Reply not_possible(std::string why);
inline Reply without_memory() noexcept {
  return not_possible({});
}

// Returns the shape that `run` is to fill, or nothing where it is not to be called: `infer` gave another
// shape than is expected, or does not do this case.  A call that `infer` refused is made with an output of
// the data's shape, which must stay as it was; one that it accepted although a refusal is expected, with the
// inferred shape, as far as it fits into `capacity` and is not large.
std::optional<Shape> shape_to_run(const Request& request, bool infers, const Reply& reply,
                                  std::size_t capacity);
// Puts a reply of two runs in order: outputs that both gave are those of the first, and outputs of calls that
// should have been refused are left out.
void settle_runs(Reply& reply, const Request& request);

void write_reply(WireWriter& writer, const Reply& reply);
std::optional<Reply> read_reply(WireReader& reader);

// A string tensor's output on its way: u64 sizes, then the characters.  These sizes mean that there is no
// element to show.
inline constexpr std::uint64_t unwritten_string = ~std::uint64_t{0};  // the view still holds poison
inline constexpr std::uint64_t oversized_string =
    ~std::uint64_t{0} - 1;  // the view is longer than any reply can be

}  // namespace certile
