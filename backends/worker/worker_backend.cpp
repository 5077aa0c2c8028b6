#include "backends/worker/worker_backend.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/worker/wire_types.hpp"

namespace certile {
namespace {

using namespace std::chrono_literals;
using Clock = Worker::Clock;

// A message about several calls holds twice as many as the one before, as long as it is answered so soon; so
// runtimes that take long for each call are asked one at a time.
constexpr auto quick = 40ms, slow = 200ms;
constexpr auto batch_limit = 3s;
constexpr std::size_t largest_batch_bytes = std::size_t{4} << 20;
constexpr auto forever = 24h * 365;

Error failed(std::string what) {
  return {Error::Code::backend_failed, std::move(what)};
}

void add_call(MessageWriter& message, const std::string& prefix, std::string_view command, const Call& call) {
  message.say(prefix + "cmd", command);
  message.say(prefix + "op", name(call.definition));
  // Types and shapes are said of every operand, so that a worker need not know how each type travels.
  const auto add = [&](const char* operand, const TensorView& tensor) {
    message.add_shape(prefix + operand, tensor.type, tensor.shape);
    message.add_bytes(prefix + operand, tensor);
  };
  if (command == "infer") {
    message.add_shape(prefix + "data", call.data.type, call.data.shape);
  } else {
    message.say(prefix + "element_bits", std::to_string(bits(call.data.type)));
    add("data", call.data);
  }
  add("repeats", call.repeats);
  if (call.axis) add("axis", *call.axis);
}

std::string shape_text(ElementType type, std::span<const std::int64_t> shape) {
  return std::string(name(type)) + "[" + shape_words(shape) + "]";
}

}  // namespace

Result<std::unique_ptr<WorkerBackend>> WorkerBackend::open(std::string command,
                                                           const WorkerOptions& options) {
  std::unique_ptr<WorkerBackend> backend(new WorkerBackend(std::move(command), options));
  if (auto started = backend->worker_.start(); !started) return started.error();
  return backend;
}

Clock::time_point WorkerBackend::deadline() const {
  return Clock::now() +
         (options_.call_limit ? Clock::duration(*options_.call_limit) : Clock::duration(forever));
}

std::optional<int> WorkerBackend::ended() const {
  return worker_.lost() == Worker::Lost::ended ? worker_.wait_status() : std::nullopt;
}

Error WorkerBackend::unreadable(const std::string& what) {
  misspoken_ = "the worker's answer is not one of the protocol: " + what;
  return failed(misspoken_);
}

Result<Message> WorkerBackend::send(MessageWriter message, Clock::time_point until,
                                    const std::function<void()>& alive) {
  misspoken_.clear();
  auto reply = worker_.ask(std::move(message), until, alive);
  if (!reply && worker_.lost() == Worker::Lost::unreadable) misspoken_ = reply.error().what;
  return reply;
}

Result<WorkerBackend::Answer> WorkerBackend::ask(std::string_view command, const Call& call,
                                                 int repetitions) {
  // The worker is not started a second time for a call that ended it, because the watching process ends too.
  if (ended_in_turn_) return failed("the worker has ended on this call");
  if (auto started = worker_.start(alive_); !started) return started.error();
  MessageWriter message;
  add_call(message, "", command, call);
  if (repetitions > 0) message.say("repetitions", std::to_string(repetitions));
  auto reply = send(std::move(message), deadline(), {});
  if (!reply) {
    ended_in_turn_ = turn_ && worker_.lost() == Worker::Lost::ended;
    return reply.error();
  }
  return Answer{std::make_shared<const Message>(*std::move(reply)), ""};
}

void WorkerBackend::look_ahead(std::span<const Upcoming> calls, std::function<void()> alive) {
  const std::lock_guard lock(mutex_);
  upcoming_ = calls;
  alive_ = std::move(alive);
  ahead_.clear();
  fetched_ = 0;
  turn_.reset();
  ended_in_turn_ = false;
}

void WorkerBackend::turn_to(std::size_t index) {
  const std::lock_guard lock(mutex_);
  if (turn_) ahead_.erase(*turn_);
  turn_ = index;
  ended_in_turn_ = false;
  if (index >= fetched_ && index < upcoming_.size()) fetch_from(index);
}

void WorkerBackend::fetch_from(std::size_t index) {
  fetched_ = index + 1;
  const std::size_t limit = std::min(together_, worker_.hello().batch);
  if (worker_.hello().batch <= 1 || upcoming_[index].alone || !worker_.is_running()) return;
  // A process that was just started may end as the one before it did, and on a call that is asked by itself
  // it is clear on which: a batch would cost one more start.
  if (!worker_.has_answered()) return;
  const bool infers = worker_.hello().claim.infers;
  MessageWriter message;
  std::vector<std::pair<std::size_t, bool>>
      asked;  // of each call in the message: which one, and whether `infer`
  std::size_t end = index, bytes = 0;
  while (end < upcoming_.size() && !upcoming_[end].alone) {
    const Upcoming& upcoming = upcoming_[end];
    const std::size_t calls = std::size_t{infers} + (upcoming.shape_only ? 0U : 2U);
    bytes += 2 * (upcoming.call.data.bytes.size() + upcoming.output_bytes);
    if (end > index && (asked.size() + calls > limit || bytes > largest_batch_bytes)) break;
    const auto add = [&](std::string_view command) {
      add_call(message, std::to_string(asked.size()) + ".", command, upcoming.call);
      asked.emplace_back(end, command == "infer");
    };
    if (infers) add("infer");
    if (!upcoming.shape_only)
      for (int turn = 0; turn < 2; ++turn)
        add("run");
    ++end;
  }
  if (asked.size() < 2) return;
  message.say("batch", std::to_string(asked.size()));
  const auto start = Clock::now();
  auto reply = send(std::move(message), start + batch_limit, alive_);
  if (!reply) {
    // Which of them it was shows when each is asked by itself.
    together_ = 1;
    return;
  }
  const auto taken = Clock::now() - start;
  if (taken < quick) together_ = std::min(worker_.hello().batch, 2 * std::max(together_, asked.size()));
  if (taken > slow) together_ = std::max<std::size_t>(1, asked.size() / 2);
  const auto whole = std::make_shared<const Message>(*std::move(reply));
  if (whole->word("0.status") == nullptr) {
    // Then each by itself.
    static_cast<void>(unreadable("a batch's keys carry the number of the call: 0.status, 0.out, 1.status"));
    return;
  }
  fetched_ = end;
  for (std::size_t number = 0; number < asked.size(); ++number) {
    const auto [which, is_infer] = asked[number];
    auto& answers = is_infer ? ahead_[which].infer : ahead_[which].runs;
    answers.push_back({whole, std::to_string(number) + "."});
  }
}

Result<WorkerBackend::Answer> WorkerBackend::next(std::string_view command, const Call& call,
                                                  std::deque<Answer> Ahead::*kind) {
  if (const auto found = turn_ ? ahead_.find(*turn_) : ahead_.end(); found != ahead_.end()) {
    std::deque<Answer>& waiting = found->second.*kind;
    if (!waiting.empty()) {
      Answer answer = std::move(waiting.front());
      waiting.pop_front();
      return answer;
    }
  }
  return ask(command, call);
}

std::optional<Error> WorkerBackend::refusal(const Answer& answer) {
  const std::string* status = answer.message->word(answer.prefix + "status");
  const std::string* why = answer.message->word(answer.prefix + "why");
  if (status == nullptr)
    return unreadable("it has no status; say ok, rejected, unsupported, no_memory or failed");
  if (*status == "ok") return std::nullopt;
  const auto because = [&](Error::Code code) {
    return Error{code, why == nullptr ? *status + ", without a why" : *why};
  };
  if (*status == "rejected") return because(Error::Code::rejected);
  if (*status == "unsupported") return because(Error::Code::unsupported);
  if (*status == "no_memory") return because(Error::Code::out_of_memory);
  if (*status == "failed") return because(Error::Code::backend_failed);
  return unreadable("its status is '" + status->substr(0, 40) +
                    "'; it is one of ok, rejected, unsupported, no_memory and failed");
}

Result<Shape> WorkerBackend::infer(const Call& call) {
  const std::lock_guard lock(mutex_);
  const auto answer = next("infer", call, &Ahead::infer);
  if (!answer) return answer.error();
  if (auto refused = refusal(*answer)) return *std::move(refused);
  const std::string* words = answer->message->word(answer->prefix + "shape");
  auto shape = words == nullptr ? std::nullopt : read_shape_words(*words);
  if (!shape) return unreadable("an infer that is ok says shape, for instance 4,6, and nothing for rank 0");
  return *std::move(shape);
}

Result<Backend::Filled> WorkerBackend::run(const Call& call, MutableTensorView out) {
  const std::lock_guard lock(mutex_);
  auto answer = next("run", call, &Ahead::runs);
  if (!answer) return answer.error();
  if (auto refused = refusal(*answer)) return *std::move(refused);
  const auto came = answer->message->tensor(answer->prefix + "out");
  if (!came) return unreadable(came.error().what + "; a run that is ok sends the tensor out");
  Filled filled;
  filled.retyped = came->type != out.type;
  filled.reshaped = !std::equal(came->shape.begin(), came->shape.end(), out.shape.begin(), out.shape.end());
  if (filled.retyped || filled.reshaped) {
    filled.what = "the output that came is " + shape_text(came->type, came->shape) + ", where " +
                  shape_text(out.type, out.shape) + " is expected";
    if (filled.reshaped) filled.shape = Shape(came->shape.begin(), came->shape.end());
    return filled;
  }
  if (out.type != ElementType::string) {
    std::copy(came->bytes.begin(), came->bytes.end(), out.bytes.begin());
    return filled;
  }
  const auto strings = strings_in(came->bytes, out.bytes.size() / sizeof(StringElement));
  if (!strings) return unreadable(strings.error().what);
  if (!strings->empty()) std::memcpy(out.bytes.data(), strings->data(), out.bytes.size());
  characters_[std::this_thread::get_id()] = *std::move(answer);
  return filled;
}

Result<Tensor> WorkerBackend::answer(const Call& call) {
  const std::lock_guard lock(mutex_);
  const auto answer = ask("run", call);
  if (!answer) return answer.error();
  if (auto refused = refusal(*answer)) return *std::move(refused);
  const auto came = answer->message->tensor("out");
  if (!came) return unreadable(came.error().what + "; a run that is ok sends the tensor out");
  if (came->type == ElementType::string) {
    const auto count = static_cast<std::size_t>(element_count(came->shape).value_or(0));
    const auto views = strings_in(came->bytes, count);
    if (!views) return unreadable(views.error().what);
    std::vector<std::string> strings;
    for (const StringElement& each : *views)
      strings.emplace_back(each.bytes, each.size);
    return Tensor::of_strings(came->shape, strings);
  }
  Tensor tensor(came->type, came->shape);
  std::copy(came->bytes.begin(), came->bytes.end(), tensor.bytes().begin());
  return tensor;
}

Result<std::vector<std::int64_t>> WorkerBackend::time(const Call& call, int repetitions) {
  const std::lock_guard lock(mutex_);
  const auto answer = ask("time", call, repetitions);
  if (!answer) return answer.error();
  if (auto refused = refusal(*answer)) return *std::move(refused);
  const auto came = answer->message->tensor("nanoseconds");
  if (!came) return unreadable(came.error().what + "; a time that is ok sends the tensor nanoseconds");
  const Shape due{repetitions};
  if (came->type != ElementType::i64 || came->shape != due)
    return unreadable("nanoseconds is " + shape_text(came->type, came->shape) + " where " +
                      shape_text(ElementType::i64, due) + " is due");
  std::vector<std::int64_t> nanoseconds(static_cast<std::size_t>(repetitions));
  std::memcpy(nanoseconds.data(), came->bytes.data(), came->bytes.size());
  if (std::any_of(nanoseconds.begin(), nanoseconds.end(), [](std::int64_t each) { return each < 0; }))
    return unreadable("nanoseconds holds a negative number");
  return nanoseconds;
}

}  // namespace certile
