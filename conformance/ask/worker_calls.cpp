#include "conformance/ask/worker_calls.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/worker/calls.hpp"
#include "backends/worker/message.hpp"
#include "conformance/ask/rig/output_bytes.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

// The largest output, in bytes, that a worker is made to compute although a refusal is expected.
constexpr std::size_t little = std::size_t{1} << 20;

// Returns the size of the output, in bytes, as far as the repeats are readable; SIZE_MAX if it may be large.
std::size_t bytes_if_accepted(const Request& request) {
  const Tensor& data = request.data.front();
  const auto count = element_count(data.shape());
  auto size = count ? byte_size(data.type(), std::max<std::int64_t>(*count, 1)) : std::nullopt;
  const Tensor& repeats = request.repeats;
  if (!size || is_packed(repeats.type()) || repeats.bytes().empty()) return size.value_or(SIZE_MAX);
  for (std::int64_t index = 0; index < repeats.count(); ++index) {
    const std::uint64_t repeat = repeats.element(index).low;
    if (repeat == 0 || repeat > little) return SIZE_MAX;
    *size *= static_cast<std::size_t>(repeat);
    if (*size > little) return SIZE_MAX;
  }
  return *size;
}

void add_call(backends::MessageWriter& message, std::string_view command, const Request& request,
              std::size_t lane) {
  backends::add_call(message, command, request.definition, request.data[lane], request.repeats, request.axis);
}

}  // namespace

WorkerCalls::WorkerCalls(const Request& request, bool infers)
    : request_(&request),
      first_run_(infers && !request.plain ? 1 : 0),
      runs_(request.plain                  ? 1
            : request.placement.shape_only ? 0
                                           : 2 * request.data.size()),
      may_go_ahead_(request.data.size() == 1 &&
                    (request.shape_digest || bytes_if_accepted(request) <= little)),
      size_(request.data.front().bytes().size() + static_cast<std::size_t>(request.reply_limit) / 2) {
  if (first_run_ == 1) return;
  has_inferred_ = true;
  if (request.plain && request.plain->cold) {
    reply_.inferred = Status::unsupported;
    reply_.message = "a worker times its calls hot";
    return;
  }
  shape_ = shape_to_run(request, false, reply_, little);
}

std::size_t WorkerCalls::lane_of(std::size_t call) const noexcept {
  return (call - first_run_) % request_->data.size();
}

int WorkerCalls::side_of(std::size_t call) const noexcept {
  const bool is_second = call - first_run_ >= request_->data.size();
  return is_second != (request_->left_side_first && request_->data.size() == 1) ? 1 : 0;
}

void WorkerCalls::set_inferred(const Result<Shape>& inferred) {
  has_inferred_ = true;
  reply_.inferred = inferred ? Status::ok : backends::status_of(inferred.error().code);
  if (inferred)
    reply_.shape = *inferred;
  else
    reply_.message = inferred.error().what;
  shape_ = shape_to_run(*request_, first_run_ == 1, reply_, little);
}

WorkerCalls::Due WorkerCalls::due(std::size_t call) const {
  if (is_infer(call)) return Due::yes;
  if (!has_inferred_) return Due::open;
  // [CT-REFUSE] concurrent calls that are refused count as one call
  const bool is_one_call = reply_.inferred == Status::rejected || !request_->shape_digest;
  return shape_ && (!is_one_call || lane_of(call) == 0) ? Due::yes : Due::no;
}

void WorkerCalls::add_to(backends::MessageWriter& message, std::size_t call) const {
  if (is_infer(call)) return add_call(message, "infer", *request_, 0);
  const bool is_timed = request_->plain && request_->plain->timed > 0;
  add_call(message, is_timed ? "time" : "run", *request_, lane_of(call));
  if (is_timed) message.say("repetitions", std::to_string(request_->plain->timed + 1));
}

void WorkerCalls::take(std::size_t call, const backends::Message& answer) {
  if (is_infer(call)) return set_inferred(backends::inferred_in(answer));
  if (due(call) != Due::yes) return;
  if (request_->plain && request_->plain->timed > 0) return take_times(answer);
  const auto came = backends::tensor_in(answer, "out");
  if (!came) return fail(call, came.error());
  const int side = side_of(call);
  take_output(*came, reply_.runs[side], reply_.runs[1 - side], lane_of(call));
}

// Takes the nanoseconds of each repetition; the first is not counted.
void WorkerCalls::take_times(const backends::Message& answer) {
  const auto came = backends::tensor_in(answer, "nanoseconds");
  if (!came) return fail(0, came.error());
  const Shape due{request_->plain->timed + 1};
  if (const std::string instead = backends::came_instead(*came, ElementType::i64, due); !instead.empty())
    return fail(0, backends::misspoken("of nanoseconds, " + instead));
  std::vector<std::int64_t> nanoseconds(static_cast<std::size_t>(due.front()));
  std::memcpy(nanoseconds.data(), came->bytes.data(), came->bytes.size());
  if (std::ranges::any_of(nanoseconds, [](std::int64_t each) { return each < 0; }))
    return fail(0, backends::misspoken("nanoseconds holds a negative number"));
  std::int64_t all = 0;
  for (const std::int64_t each : std::span(nanoseconds).subspan(1))
    if (__builtin_add_overflow(all, each, &all))
      return fail(0, backends::misspoken("nanoseconds holds absurd times"));
  reply_.runs[0].end = Status::ok;
  reply_.timing = {all, all};  // a worker does not report its processor time
}

void WorkerCalls::take_output(const backends::Message::Received& came, RunReply& run, const RunReply& other,
                              std::size_t lane) {
  const ElementType type = request_->data.front().type();
  if (run.end == Status::not_called) run.end = Status::ok;
  if (run.end != Status::ok || !run.message.empty()) return;  // by another of the concurrent calls
  run.message = backends::came_instead(came, type, *shape_);
  if (!run.message.empty()) {
    run.retyped = came.type != type;
    run.reshaped = came.shape != *shape_;
    if (run.reshaped) run.came = came.shape;
    run.outputs.clear();
    return;
  }
  std::vector<std::byte> output;
  if (type == ElementType::string) {
    const auto views =
        backends::strings_in(came.bytes, static_cast<std::size_t>(element_count(*shape_).value()));
    output = flatten_strings(std::as_bytes(std::span(*views)), element_count(*shape_).value(),
                             std::byte{0xff}, request_->reply_limit / 2);
  } else {
    output.assign(came.bytes.begin(), came.bytes.end());
  }
  if (request_->data.size() > 1 && is_packed(type) && !output.empty())
    output.back() &= used_bits_of_last_byte(type, element_count(*shape_).value());
  const bool is_like_other = other.outputs.size() > lane && same_bytes(other.outputs[lane], output);
  if (request_->data.size() > 1) {
    // [CT-THREADS] the same data gave other bytes than before
    if (!is_like_other && other.outputs.size() > lane) run.raced = true;
    run.outputs.push_back(std::move(output));
  } else if (is_like_other) {
    run.like_first = true;
  } else {
    run.outputs.push_back(std::move(output));
  }
}

void WorkerCalls::fail(std::size_t call, const Error& why) {
  if (is_infer(call)) return set_inferred(why);
  RunReply& run = reply_.runs[side_of(call)];
  if (run.end != Status::ok && run.end != Status::not_called) return;
  run.end = backends::status_of(why.code);
  run.message = why.what;
  run.outputs.clear();
}

Reply WorkerCalls::take_reply() {
  if (runs_ > 2 && due(first_run_ + 1) == Due::yes) {
    reply_.runs[0].raced = reply_.runs[1].raced;
    reply_.runs[1] = {};
  }
  settle_runs(reply_, *request_);
  return std::move(reply_);
}

}  // namespace certile::conformance
