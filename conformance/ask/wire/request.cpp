#include "conformance/ask/wire/request.hpp"

#include <algorithm>
#include <utility>

namespace certile::conformance {
namespace {

// The largest output, in bytes, of a call that `infer` wrongly accepted and that is made all the same.
constexpr std::size_t most_after_lenient_infer = 1 << 20;

void write_plain(WireWriter& writer, const PlainCalls& plain) {
  writer.number(plain.timed);
  writer.number(plain.cold);
  writer.number(plain.again);
  writer.number(plain.begin);
}

PlainCalls read_plain(WireReader& reader) {
  PlainCalls plain;
  plain.timed = reader.number<std::int64_t>();
  plain.cold = reader.flag();
  plain.again = reader.flag();
  plain.begin = reader.number<std::uint64_t>();
  return plain;
}

// Returns true if the data are those of the request before.
bool has_no_data(const Request& request) {
  return request.plain && request.plain->again;
}

}  // namespace

std::uint64_t shape_digest(const Shape& shape) noexcept {
  std::uint64_t digest = 0x9e3779b97f4a7c15U + shape.size();
  for (const std::int64_t dimension : shape) {
    digest ^= static_cast<std::uint64_t>(dimension);
    digest *= 0xbf58476d1ce4e5b9U;
    digest ^= digest >> 29;
  }
  return digest;
}

void write_request(WireWriter& writer, const Request& request, bool infers) {
  writer.number(request.definition);
  writer.number(request.placement.guard);
  writer.number(request.placement.offset);
  writer.number(request.placement.output_offset.value_or(-1));
  writer.number(request.placement.threads);
  writer.number(request.placement.calls);
  writer.number(request.placement.shape_only);
  writer.number(request.left_side_first);
  writer.number(request.in_turn);
  writer.number(request.plain.has_value());
  if (request.plain) write_plain(writer, *request.plain);
  const std::size_t sent = has_no_data(request) ? 0 : request.data.size();
  writer.number(static_cast<std::uint32_t>(sent));
  for (const Tensor& data : std::span(request.data).first(sent))
    writer.tensor(data);
  writer.tensor(request.repeats);
  writer.number(request.axis.has_value());
  if (request.axis) writer.tensor(*request.axis);
  writer.number(request.shape_digest.has_value());
  writer.number(request.shape_digest.value_or(0));
  writer.shape(infers ? Shape{} : request.fallback_shape);
  writer.number(request.reply_limit);
}

std::optional<Request> read_request(WireReader& reader) {
  Request request;
  request.definition = reader.number<DefinitionId>();
  request.placement.guard = reader.number<Placement::Guard>();
  request.placement.offset = reader.number<int>();
  if (const int output = reader.number<int>(); output >= 0) request.placement.output_offset = output;
  request.placement.threads = reader.number<int>();
  request.placement.calls = reader.number<int>();
  request.placement.shape_only = reader.flag();
  request.left_side_first = reader.flag();
  request.in_turn = reader.flag();
  if (reader.flag()) request.plain = read_plain(reader);
  const auto copies = reader.number<std::uint32_t>();
  for (std::uint32_t copy = 0; reader.good() && copy < copies; ++copy) {
    auto data = reader.tensor();
    if (data) request.data.push_back(*std::move(data));
  }
  auto repeats = reader.tensor();
  if (!repeats) return std::nullopt;
  request.repeats = *std::move(repeats);
  if (reader.flag()) request.axis = reader.tensor();
  const bool has_digest = reader.flag();
  const auto digest = reader.number<std::uint64_t>();
  if (has_digest) request.shape_digest = digest;
  request.fallback_shape = reader.shape();
  request.reply_limit = reader.number<std::uint64_t>();
  if (!reader.good() || request.data.empty() != has_no_data(request)) return std::nullopt;
  return request;
}

namespace {

void write_run(WireWriter& writer, const RunReply& run) {
  writer.number(run.end);
  if (run.end == Status::not_called) return;
  writer.text(run.message);
  writer.number(run.came.has_value());
  writer.shape(run.came.value_or(Shape{}));
  for (const bool flag :
       {run.moved, run.reshaped, run.retyped, run.wrote_outside, run.changed_input, run.wrote_on_refusal,
        run.raced, run.misplaced, run.undid_a_change, run.unwritten, run.like_first})
    writer.number(flag);
  writer.number(static_cast<std::uint32_t>(run.outputs.size()));
  for (const auto& output : run.outputs) {
    writer.number(static_cast<std::uint64_t>(output.size()));
    writer.bytes(output);
  }
}

void read_run(WireReader& reader, RunReply& run) {
  run.end = reader.number<Status>();
  if (run.end == Status::not_called) return;
  run.message = reader.text();
  const bool came = reader.flag();
  if (Shape shape = reader.shape(); came) run.came = std::move(shape);
  for (bool* flag : {&run.moved, &run.reshaped, &run.retyped, &run.wrote_outside, &run.changed_input,
                     &run.wrote_on_refusal, &run.raced, &run.misplaced, &run.undid_a_change, &run.unwritten,
                     &run.like_first})
    *flag = reader.flag();
  const auto outputs = reader.number<std::uint32_t>();
  for (std::uint32_t index = 0; reader.good() && index < outputs; ++index) {
    const auto found = reader.bytes(reader.number<std::uint64_t>());
    run.outputs.emplace_back(found.begin(), found.end());
  }
}

// A number at the beginning of every reply, which bytes left there by a backend's mistake will hardly equal.
constexpr std::uint64_t reply_mark = 0x5ec0'4e11'7a11'e57d;

// Returns true for a status that a call in the same process can end with.
bool is_sane(Status status) {
  return (status >= Status::ok && status <= Status::failed) || status == Status::not_called;
}

}  // namespace

Reply not_possible(std::string why) {
  Reply reply;
  reply.not_possible = true;
  reply.message = std::move(why);
  return reply;
}

std::optional<Shape> shape_to_run(const Request& request, bool infers, const Reply& reply,
                                  std::size_t capacity) {
  if (request.placement.shape_only) return std::nullopt;
  if (!infers) return request.fallback_shape;
  if (reply.inferred == Status::rejected) return request.data.front().shape();
  if (reply.inferred != Status::ok) return std::nullopt;
  if (!request.shape_digest) {
    // [CT-INFER] what `infer` accepts and `run` refuses is a difference between the two
    const auto count = element_count(reply.shape);
    const auto size = count ? byte_size(request.data.front().type(), *count) : std::nullopt;
    return size && *size <= std::min(capacity, most_after_lenient_infer) ? std::optional(reply.shape)
                                                                         : std::nullopt;
  }
  // [CT-INFER] only an expected shape is run; a different output of `run` shows as CT-BOUNDS or CT-WRITE
  if (shape_digest(reply.shape) != *request.shape_digest) return std::nullopt;
  return reply.shape;
}

void settle_runs(Reply& reply, const Request& request) {
  if (std::exchange(reply.runs[0].like_first, false)) {
    std::swap(reply.runs[0].outputs, reply.runs[1].outputs);
    reply.runs[1].like_first = true;
  }
  // [CT-INFER] only the status counts of a call that `infer` should have refused
  if (request.shape_digest || reply.inferred != Status::ok) return;
  for (RunReply& run : reply.runs) {
    run.outputs.clear();
    run.like_first = false;
  }
}

void write_reply(WireWriter& writer, const Reply& reply) {
  writer.number(reply_mark);
  writer.number(reply.inferred);
  writer.number(reply.not_possible);
  writer.number(reply.infers_differently);
  writer.text(reply.message);
  writer.shape(reply.shape);
  writer.number(reply.called_oracle);
  writer.text(reply.leaked);
  writer.text(reply.held);
  writer.number(reply.late_call);
  writer.text(reply.changed_state);
  for (const RunReply& run : reply.runs)
    write_run(writer, run);
  writer.number(reply.timing.nanoseconds);
  writer.number(reply.timing.processors);
}

std::optional<Reply> read_reply(WireReader& reader) {
  Reply reply;
  if (reader.number<std::uint64_t>() != reply_mark) reader.fail();
  reply.inferred = reader.number<Status>();
  reply.not_possible = reader.flag();
  reply.infers_differently = reader.flag();
  reply.message = reader.text();
  reply.shape = reader.shape();
  reply.called_oracle = reader.flag();
  reply.leaked = reader.text();
  reply.held = reader.text();
  reply.late_call = reader.number<std::int64_t>();
  reply.changed_state = reader.text();
  for (RunReply& run : reply.runs)
    read_run(reader, run);
  reply.timing.nanoseconds = reader.number<std::int64_t>();
  reply.timing.processors = reader.number<std::int64_t>();
  const bool sane =
      is_sane(reply.inferred) && std::all_of(std::begin(reply.runs), std::end(reply.runs),
                                             [](const RunReply& run) { return is_sane(run.end); });
  if (!reader.good() || !sane) return std::nullopt;
  return reply;
}

}  // namespace certile::conformance
