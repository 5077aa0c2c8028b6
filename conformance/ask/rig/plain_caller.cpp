#include "conformance/ask/rig/plain_caller.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/concurrent_runs.hpp"
#include "conformance/ask/rig/warm_memory.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

WarmMemory memory_of(std::size_t size) {
  auto memory = WarmMemory::make(size);
  if (!memory) throw NotPossible{memory.error().what};
  return *std::move(memory);
}

// Fills the output with random bytes, so that unwritten ones are wrong.
void scramble(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t value = mix(mix(bytes.size()) + at);
    std::memcpy(bytes.data() + at, &value, std::min(sizeof value, bytes.size() - at));
  }
}

std::int64_t in_nanoseconds(double seconds) {
  return std::llround(1e9 * seconds);
}

// A stopwatch of the wall clock and the processors.
class Watch {
 public:
  void start() {
    processors_ = seconds_of_processors();
    start_ = std::chrono::steady_clock::now();
  }
  void stop() {
    const auto end = std::chrono::steady_clock::now();
    seconds_ += std::chrono::duration<double>(end - start_).count();
    all_processors_ += seconds_of_processors() - processors_;
  }
  Timing timing() const { return {in_nanoseconds(seconds_), in_nanoseconds(all_processors_)}; }

 private:
  std::chrono::steady_clock::time_point start_;
  double processors_ = 0, seconds_ = 0, all_processors_ = 0;
};

void fail(RunReply& reply, const char* why) {
  reply.end = Status::failed;
  reply.message = why;
}

void note(const backends::Ran& ran, RunReply& reply) {
  reply.end = ran.status;
  reply.message = ran.message;
  if (ran.status == Status::ok && ran.changed_descriptor())
    fail(reply, "it changed the output's description");
}

}  // namespace

double seconds_of_processors() noexcept {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// One call's tensors.
struct PlainCaller::Operands {
  explicit Operands(Request asked)
      : request(std::move(asked)), data(memory_of(request.data.front().bytes().size())) {
    Tensor& tensor = request.data.front();
    std::ranges::copy(tensor.bytes(), data.bytes().begin());
    // The tensor keeps the characters of strings; other types need only one copy.
    if (tensor.type() != ElementType::string)
      tensor = Tensor::without_elements(tensor.type(), Shape(tensor.shape()));
  }

  backends::PluginCall call() const {
    const Tensor& tensor = request.data.front();
    return {request.definition,
            {tensor.type(), tensor.shape(), data.bytes()},
            request.repeats.view(),
            view_of(request.axis)};
  }

  ElementType type() const { return request.data.front().type(); }
  void place_output(Shape due) {
    const auto count = element_count(due);
    const auto size = count ? byte_size(type(), *count) : std::nullopt;
    if (!size) throw std::bad_alloc();
    output.emplace(memory_of(*size));
    shape = std::move(due);
  }
  certile_tensor given() const {
    return backends::c_tensor(MutableTensorView{type(), shape, output->bytes()});
  }
  void flush() const {
    flush_from_caches(data.bytes());
    flush_from_caches(output->bytes());
  }

  Request request;  // for repeats, axis and shapes
  WarmMemory data;
  std::optional<WarmMemory> output = {};
  Shape shape = {};  // of the output
};

PlainCaller::PlainCaller() = default;
PlainCaller::PlainCaller(PlainCaller&&) noexcept = default;
PlainCaller::~PlainCaller() = default;

Reply PlainCaller::answer(const backends::Plugin& backend, Request request, ControlBlock& control) {
  Reply reply;
  control.phase.store(Phase::prepare);
  try {
    reply = answer_with_memory(backend, std::move(request), control);
  } catch (const std::bad_alloc&) {
    reply = without_memory();
  } catch (NotPossible& lacking) {
    reply = not_possible(std::move(lacking.why));
  }
  control.calls.end_alone();
  control.phase.store(Phase::idle);
  return reply;
}

Reply PlainCaller::answer_with_memory(const backends::Plugin& backend, Request request,
                                      ControlBlock& control) {
  const PlainCalls asked = *request.plain;
  Reply reply;
  if (!asked.again) place(backend, std::move(request), control, reply);
  RunReply& run = reply.runs[0];
  if (!operands_) {
    if (asked.again) fail(run, "its process has no operands");
    return reply;
  }
  if (asked.timed == 0 && asked.begin > 0) {
    run.end = Status::ok;
  } else {
    control.phase.store(Phase::first_run);
    control.calls.begin_alone();
    note(asked.timed > 0 ? time(backend, asked, reply.timing) : run_once(backend), run);
    control.calls.end_alone();
    control.phase.store(Phase::collect);
  }
  if (run.end != Status::ok || asked.timed > 0) return reply;
  const std::span<const std::byte> output = operands_->output->bytes();
  const std::size_t begin = std::min<std::size_t>(asked.begin, output.size());
  const auto part = output.subspan(begin, std::min(largest_part, output.size() - begin));
  run.outputs.emplace_back(part.begin(), part.end());
  return reply;
}

void PlainCaller::place(const backends::Plugin& backend, Request request, ControlBlock& control,
                        Reply& reply) {
  operands_.reset();
  auto operands = std::make_unique<Operands>(std::move(request));
  const bool infers = backend.claim().infers;
  if (infers) {
    const backends::PluginCall call = operands->call();
    control.phase.store(Phase::infer);
    control.calls.begin_alone();
    backends::Inferred inferred = backend.infer(call);
    control.calls.end_alone();
    control.phase.store(Phase::prepare);
    reply.inferred = inferred.status;
    reply.message = std::move(inferred.message);
    reply.shape = std::move(inferred.shape);
    if (reply.inferred != Status::ok) return;
  }
  auto shape = shape_to_run(operands->request, infers, reply, 0);
  if (!shape) return fail(reply.runs[0], "it infers another shape");
  operands->place_output(*std::move(shape));
  operands_ = std::move(operands);
}

backends::Ran PlainCaller::run_once(const backends::Plugin& backend) const {
  scramble(operands_->output->bytes());
  return backend.run(operands_->call(), operands_->given());
}

backends::Ran PlainCaller::time(const backends::Plugin& backend, const PlainCalls& asked,
                                Timing& timing) const {
  const backends::PluginCall call = operands_->call();
  const certile_tensor output = operands_->given();
  Watch watch;
  backends::Ran ran = backend.run(call, output);
  if (ran.status != Status::ok) return ran;
  // The table alone is timed, because Plugin::run takes longer than a tiny call.
  const certile_plugin& table = backend.table();
  const certile_call& asked_of_table = call;
  certile_tensor given = output;
  std::array<char, 256> message{};
  certile_text why{sizeof why, message.size(), message.data()};
  const auto once = [&] {
    try {
      return table.run(table.self, &asked_of_table, &given, &why) == CERTILE_OK;
    } catch (...) {
      return false;
    }
  };
  bool worked = true;
  if (asked.cold) {
    for (std::int64_t done = 0; done < asked.timed && worked; ++done) {
      operands_->flush();
      watch.start();
      worked = once();
      watch.stop();
    }
  } else {
    watch.start();
    for (std::int64_t done = 0; done < asked.timed && worked; ++done)
      worked = once();
    watch.stop();
  }
  timing = watch.timing();
  if (!worked) return {Status::failed, message.data()};
  return ran;
}

}  // namespace certile::conformance
