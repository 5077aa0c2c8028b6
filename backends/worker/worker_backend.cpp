#include "backends/worker/worker_backend.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/worker/calls.hpp"
#include "backends/worker/wire_types.hpp"

namespace certile::backends {
namespace {

using namespace std::chrono_literals;
constexpr auto forever = 24h * 365;

Result<Tensor> tensor_from(const Message::Received& came) {
  if (came.type == ElementType::string) {
    const auto count = static_cast<std::size_t>(element_count(came.shape).value_or(0));
    const auto views = strings_in(came.bytes, count);
    if (!views) return misspoken(views.error().what);
    std::vector<std::string> strings;
    for (const StringElement& each : *views)
      strings.emplace_back(each.bytes, each.size);
    return Tensor::of_strings(came.shape, strings);
  }
  Tensor tensor(came.type, came.shape);
  std::copy(came.bytes.begin(), came.bytes.end(), tensor.bytes().begin());
  return tensor;
}

Result<Tensor> output_in(const Message& answer, std::string_view prefix) {
  const auto came = tensor_in(answer, prefix, "out");
  return came ? tensor_from(*came) : Result<Tensor>(came.error());
}

}  // namespace

Result<std::unique_ptr<WorkerBackend>> WorkerBackend::open(std::string command,
                                                           const WorkerOptions& options) {
  std::unique_ptr<WorkerBackend> backend(new WorkerBackend(std::move(command), options));
  if (auto started = backend->worker_.start(); !started) return started.error();
  return backend;
}

std::optional<int> WorkerBackend::ended() const {
  return worker_.lost() == Worker::Lost::ended ? worker_.wait_status() : std::nullopt;
}

Error WorkerBackend::noted(const Error& error) {
  if (is_misspoken(error)) misspoken_ = error.what;
  return error;
}

Result<Message> WorkerBackend::send(MessageWriter message) {
  misspoken_.clear();
  const auto limit = options_.call_limit ? Worker::Clock::duration(*options_.call_limit) : forever;
  auto reply = worker_.ask(std::move(message), Worker::Clock::now() + limit);
  if (!reply && worker_.lost() == Worker::Lost::unreadable) misspoken_ = reply.error().what;
  return reply;
}

Result<Message> WorkerBackend::ask(std::string_view command, const Call& call, int repetitions) {
  if (auto started = worker_.start(); !started) return started.error();
  MessageWriter message;
  add_call(message, command, call);
  if (repetitions > 0) message.say("repetitions", std::to_string(repetitions));
  return send(std::move(message));
}

Result<Shape> WorkerBackend::infer(const Call& call) {
  const auto answer = ask("infer", call);
  if (!answer) return answer.error();
  auto shape = inferred_in(*answer, "");
  return shape ? std::move(shape) : noted(shape.error());
}

Result<Tensor> WorkerBackend::answer(const Call& call) {
  const auto answer = ask("run", call);
  if (!answer) return answer.error();
  auto output = output_in(*answer, "");
  return output ? std::move(output) : noted(output.error());
}

Result<std::vector<Result<Tensor>>> WorkerBackend::answers(std::span<const Call> calls) {
  if (auto started = worker_.start(); !started) return started.error();
  MessageWriter message;
  for (std::size_t number = 0; number < calls.size(); ++number) {
    message.set_prefix(std::to_string(number) + ".");
    add_call(message, "run", calls[number]);
  }
  message.set_prefix({});
  message.say("batch", std::to_string(calls.size()));
  const auto reply = send(std::move(message));
  if (!reply) return reply.error();
  if (reply->word("0.status") == nullptr)
    return noted(
        backends::misspoken("a batch's keys carry the number of the call: 0.status, 0.out, 1.status"));
  std::vector<Result<Tensor>> outputs;
  for (std::size_t number = 0; number < calls.size(); ++number) {
    outputs.push_back(output_in(*reply, std::to_string(number) + "."));
    if (!outputs.back()) noted(outputs.back().error());
  }
  return outputs;
}

Result<std::vector<std::int64_t>> WorkerBackend::time(const Call& call, int repetitions) {
  const auto answer = ask("time", call, repetitions);
  if (!answer) return answer.error();
  const auto came = tensor_in(*answer, "", "nanoseconds");
  if (!came) return noted(came.error());
  const Shape due{repetitions};
  if (const std::string instead = came_instead(*came, ElementType::i64, due); !instead.empty())
    return noted(backends::misspoken("of nanoseconds, " + instead));
  std::vector<std::int64_t> nanoseconds(static_cast<std::size_t>(repetitions));
  std::memcpy(nanoseconds.data(), came->bytes.data(), came->bytes.size());
  if (std::any_of(nanoseconds.begin(), nanoseconds.end(), [](std::int64_t each) { return each < 0; }))
    return noted(backends::misspoken("nanoseconds holds a negative number"));
  return nanoseconds;
}

}  // namespace certile::backends
