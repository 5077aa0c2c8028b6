#include "bench/entrant.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "backends/registry.hpp"
#include "backends/worker/worker_backend.hpp"
#include "bench/timing/time_host.hpp"
#include "conformance/printable.hpp"
#include "conformance/tiers/random.hpp"

namespace certile {
namespace {

constexpr std::chrono::seconds worker_call_limit{60};

void set_refusal(Subject& subject, const Error& error) {
  subject.verdict = error.code == Error::Code::unsupported ? Verdict::unsupported : Verdict::fail;
  subject.why = printable(error.what);
}

// Compares what came with what should; `bytes` as long as the output.
void set_verdict(Subject& subject, std::span<const std::byte> bytes, const Tensor& expected) {
  const std::span<const std::byte> due = expected.bytes();
  const auto at = [&]() -> std::optional<std::size_t> {
    if (bytes.size() != due.size()) return std::min(bytes.size(), due.size());
    // Bits after the last element do not count.
    const std::int64_t bits_used = expected.count() * bits(expected.type()) % 8;
    const std::size_t whole = due.size() - (bits_used != 0 ? 1 : 0);
    const auto wrong =
        std::mismatch(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(whole), due.begin());
    const auto index = static_cast<std::size_t>(wrong.first - bytes.begin());
    if (index != whole) return index;
    const auto mask = static_cast<std::byte>((1 << bits_used) - 1);
    if (whole != due.size() && (bytes[whole] & mask) != (due[whole] & mask)) return whole;
    return std::nullopt;
  }();
  subject.verdict = at ? Verdict::fail : Verdict::pass;
  if (at) subject.why = "byte " + std::to_string(*at) + " of the output is wrong";
}

class BackendContestant : public Contestant {
 public:
  BackendContestant(Backend& backend, CaseMemory& memory) : backend_(backend), memory_(memory) {}
  bool leaves_threads() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override {
    const Call& call = memory_.call();
    const MutableTensorView output = memory_.output();
    run_here(state, temperature, memory_, [&] { return static_cast<bool>(backend_.run(call, output)); });
  }

 private:
  Backend& backend_;
  CaseMemory& memory_;
};

// A batch that another process runs and times as a whole.
void report_batch(benchmark::State& state, const Result<Sample>& sample, std::int64_t calls) {
  if (!sample) return state.SkipWithError(sample.error().what.c_str());
  const double seconds = 1e-9 * sample->nanoseconds * static_cast<double>(calls);
  while (state.KeepRunningBatch(calls))
    state.SetIterationTime(seconds);
  state.counters[processor_seconds] = seconds * sample->cores;
}

class HostedContestant : public Contestant {
 public:
  HostedContestant(TimeHost& host, std::string literal) : host_(host), literal_(std::move(literal)) {}
  bool is_elsewhere() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override {
    if (!opened_)
      if (const auto opened = host_.open_case(literal_); !opened)
        return state.SkipWithError(opened.error().what.c_str());
    opened_ = true;
    const auto calls = static_cast<std::int64_t>(state.max_iterations);
    report_batch(state, host_.time(calls, temperature), calls);
  }

 private:
  TimeHost& host_;
  std::string literal_;
  bool opened_ = false;
};

// Its clock, in its process: the data travels there once a batch, and the first call is left out.
class WorkerContestant : public Contestant {
 public:
  WorkerContestant(WorkerBackend& worker, CaseMemory& memory) : worker_(worker), memory_(memory) {}
  bool can(Temperature temperature) const noexcept override { return temperature == Temperature::hot; }
  bool is_elsewhere() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature) override {
    const auto calls = static_cast<std::int64_t>(state.max_iterations);
    const auto times = worker_.time(memory_.call(), static_cast<int>(calls) + 1);
    if (!times) return state.SkipWithError(times.error().what.c_str());
    Sample sample;
    for (std::size_t index = 1; index < times->size(); ++index)
      sample.nanoseconds += static_cast<double>((*times)[index]) / static_cast<double>(calls);
    sample.cores = 1;  // it does not say
    report_batch(state, sample, calls);
  }

 private:
  WorkerBackend& worker_;
  CaseMemory& memory_;
};

// Asked what is too large for the rig in a process of its own.
class HostedEntrant : public Entrant {
 public:
  explicit HostedEntrant(const Options& options)
      : host_({.program = options.program, .spelling = options.spelling}) {
    facts_.name = options.spelling;
    facts_.in_process = false;
  }
  Result<Done> start() {
    auto version = host_.start();
    if (!version) return version.error();
    facts_.version = *version;
    return Done{};
  }
  void check(const std::string& literal, const Tensor& expected, Subject& subject) override {
    if (const auto opened = host_.open_case(literal); !opened) return set_refusal(subject, opened.error());
    const auto answer = host_.answer(expected.bytes().size(), mix(expected.bytes().size()));
    if (!answer) return set_refusal(subject, answer.error());
    set_verdict(subject, answer->bytes(), expected);
  }
  std::unique_ptr<Contestant> enter(const std::string& literal, CaseMemory&) override {
    return std::make_unique<HostedContestant>(host_, literal);
  }

 protected:
  TimeHost host_;
};

class BuiltInEntrant : public HostedEntrant {
 public:
  BuiltInEntrant(const Options& options, std::unique_ptr<Backend> backend)
      : HostedEntrant(options), backend_(std::move(backend)) {
    facts_.version = backend_->describe().version;
    facts_.in_process = true;
  }
  void check(const std::string& literal, const Tensor& expected, Subject& subject) override {
    HostedEntrant::check(literal, expected, subject);
    host_.end();  // its buffers are large
  }
  std::unique_ptr<Contestant> enter(const std::string&, CaseMemory& memory) override {
    return std::make_unique<BackendContestant>(*backend_, memory);
  }

 private:
  std::unique_ptr<Backend> backend_;
};

class WorkerEntrant : public Entrant {
 public:
  WorkerEntrant(const Options& options, std::unique_ptr<WorkerBackend> worker) : worker_(std::move(worker)) {
    facts_.name = options.spelling;
    facts_.version = printable_name(worker_->describe().version);
    facts_.in_process = false;
    facts_.self_timed = true;
    facts_.allocates = true;
  }
  void check(const std::string& literal, const Tensor& expected, Subject& subject) override {
    const CallTensors tensors = make_call(*parse_case(literal));
    const auto answer = worker_->answer(tensors.call());
    if (!answer) return set_refusal(subject, answer.error());
    if (answer->type() != expected.type() || answer->shape() != expected.shape()) {
      subject.verdict = Verdict::fail;
      subject.why = "its output has another type or shape";
      return;
    }
    set_verdict(subject, answer->bytes(), expected);
  }
  std::unique_ptr<Contestant> enter(const std::string&, CaseMemory& memory) override {
    return std::make_unique<WorkerContestant>(*worker_, memory);
  }

 private:
  std::unique_ptr<WorkerBackend> worker_;
};

}  // namespace

Result<std::unique_ptr<Entrant>> Entrant::open(const Options& options) {
  if (const auto command = worker_command(options.spelling)) {
    auto worker = WorkerBackend::open(std::string(*command), {.call_limit = worker_call_limit});
    if (!worker) return worker.error();
    return std::unique_ptr<Entrant>(new WorkerEntrant(options, *std::move(worker)));
  }
  if (is_library(options.spelling)) {
    auto library = std::make_unique<HostedEntrant>(options);
    if (auto started = library->start(); !started) return started.error();
    return std::unique_ptr<Entrant>(std::move(library));
  }
  auto backend = open_backend(options.spelling);
  if (!backend) return backend.error();
  return std::unique_ptr<Entrant>(new BuiltInEntrant(options, *std::move(backend)));
}

}  // namespace certile
