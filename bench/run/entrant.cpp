#include "bench/run/entrant.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "backends/plugin/plugin_call.hpp"
#include "backends/registry/registry.hpp"
#include "backends/worker/worker_backend.hpp"
#include "bench/timing/time_host.hpp"
#include "conformance/plan/tiers/random.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

constexpr std::chrono::seconds worker_call_limit{60};

void set_refusal(Subject& subject, const Error& error) {
  subject.verdict = error.code == Error::Code::unsupported ? Verdict::unsupported
                    : error.code == Error::Code::io        ? Verdict::not_run
                                                           : Verdict::fail;
  subject.why = conformance::printable(error.what);
}

// A comparison of an answer with the expected one, piece by piece.
class Comparison {
 public:
  explicit Comparison(const Tensor& expected) : expected_(expected) {}

  void see(std::span<const std::byte> piece) {
    const std::span<const std::byte> due = expected_.bytes();
    if (wrong_ || piece.size() > due.size() - seen_) return note(seen_);
    // Bits after the last element do not count.
    const std::int64_t bits_used = expected_.count() * bits(expected_.type()) % 8;
    const bool ends_within_byte = bits_used != 0 && seen_ + piece.size() == due.size();
    const std::size_t whole = piece.size() - (ends_within_byte ? 1 : 0);
    if (std::memcmp(piece.data(), due.data() + seen_, whole) != 0)
      return note(seen_ +
                  static_cast<std::size_t>(std::mismatch(piece.begin(), piece.end(),
                                                         due.begin() + static_cast<std::ptrdiff_t>(seen_))
                                               .first -
                                           piece.begin()));
    const auto mask = static_cast<std::byte>((1 << bits_used) - 1);
    if (ends_within_byte && (piece.back() & mask) != (due.back() & mask)) return note(due.size() - 1);
    seen_ += piece.size();
  }

  void set_verdict(Subject& subject) {
    if (!wrong_ && seen_ != expected_.bytes().size()) note(seen_);
    subject.verdict = wrong_ ? Verdict::fail : Verdict::pass;
    if (wrong_) subject.why = "byte " + std::to_string(*wrong_) + " of the output is wrong";
  }

 private:
  void note(std::size_t at) {
    if (!wrong_) wrong_ = at;
  }

  const Tensor& expected_;
  std::size_t seen_ = 0;
  std::optional<std::size_t> wrong_;
};

backends::Call call_for(DefinitionId definition, const CaseMemory& memory) {
  backends::Call call = memory.call();
  call.definition = definition;
  return call;
}

class BackendContestant : public Contestant {
 public:
  BackendContestant(const backends::Plugin& backend, DefinitionId definition, CaseMemory& memory)
      : table_(backend.table()), definition_(definition), memory_(memory) {}
  bool leaves_threads() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override {
    const backends::PluginCall call(call_for(definition_, memory_));
    certile_tensor output = backends::c_tensor(memory_.output());
    std::array<char, 256> message{};
    certile_text why{sizeof why, message.size(), message.data()};
    const certile_call& called = call;
    run_here(state, temperature, memory_,
             [&] { return table_.run(table_.self, &called, &output, &why) == CERTILE_OK; });
  }

 private:
  const certile_plugin& table_;
  DefinitionId definition_;
  CaseMemory& memory_;
};

// Reports a batch that another process runs and times as a whole.
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

// A worker timed by its own clock: the data travels once per batch, and the first call is left out.
class WorkerContestant : public Contestant {
 public:
  WorkerContestant(backends::WorkerBackend& worker, DefinitionId definition, CaseMemory& memory)
      : worker_(worker), definition_(definition), memory_(memory) {}
  bool can(Temperature temperature) const noexcept override { return temperature == Temperature::hot; }
  bool is_elsewhere() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature) override {
    const auto calls = static_cast<std::int64_t>(state.max_iterations);
    const auto times = worker_.time(call_for(definition_, memory_), static_cast<int>(calls) + 1);
    if (!times) return state.SkipWithError(times.error().what.c_str());
    Sample sample;
    for (std::size_t index = 1; index < times->size(); ++index)
      sample.nanoseconds += static_cast<double>((*times)[index]) / static_cast<double>(calls);
    sample.cores = 1;  // not reported by workers
    report_batch(state, sample, calls);
  }

 private:
  backends::WorkerBackend& worker_;
  DefinitionId definition_;
  CaseMemory& memory_;
};

// A backend that another process calls, for cases too large for the rig.
class HostedEntrant : public Entrant {
 public:
  explicit HostedEntrant(const Options& options)
      : host_({.program = options.program, .spelling = options.spelling}), patience_(options.patience) {
    facts_.name = options.spelling;
    facts_.in_process = false;
  }
  Result<Done> start() {
    auto greeting = host_.start();
    if (!greeting) return greeting.error();
    facts_.version = greeting->version;
    definitions_ = greeting->definitions;
    return Done{};
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    if (const auto opened = host_.open_case(to_string(question)); !opened)
      return set_refusal(subject, opened.error());
    Comparison comparison(expected);
    const std::size_t size = expected.bytes().size();
    const auto answered = host_.answer(size, mix(size), patience_,
                                       [&](std::span<const std::byte> piece) { comparison.see(piece); });
    if (!answered) return set_refusal(subject, answered.error());
    comparison.set_verdict(subject);
  }
  std::unique_ptr<Contestant> enter(const Case& question, CaseMemory&) override {
    return std::make_unique<HostedContestant>(host_, to_string(question));
  }

 protected:
  TimeHost host_;
  std::chrono::milliseconds patience_;
};

class BuiltInEntrant : public HostedEntrant {
 public:
  BuiltInEntrant(const Options& options, backends::Plugin backend)
      : HostedEntrant(options), backend_(std::move(backend)) {
    facts_.version = backend_.claim().version;
    definitions_ = backend_.claim().definitions;
    facts_.in_process = true;
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    HostedEntrant::check(question, expected, subject);
    host_.end();  // its buffers are large
  }
  std::unique_ptr<Contestant> enter(const Case& question, CaseMemory& memory) override {
    return std::make_unique<BackendContestant>(backend_, question.definition, memory);
  }

 private:
  backends::Plugin backend_;
};

class WorkerEntrant : public Entrant {
 public:
  WorkerEntrant(const Options& options, std::unique_ptr<backends::WorkerBackend> worker)
      : worker_(std::move(worker)) {
    facts_.name = options.spelling;
    const backends::Claim& claim = worker_->claim();
    facts_.version = conformance::printable_name(claim.version);
    definitions_ = claim.definitions;
    facts_.in_process = false;
    facts_.self_timed = true;
    facts_.allocates = true;
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    const Tensor data = data_of(question);
    const auto answer = worker_->answer(backends::call_of(question, data));
    if (!answer) return set_refusal(subject, answer.error());
    if (answer->type() != expected.type() || answer->shape() != expected.shape()) {
      subject.verdict = Verdict::fail;
      subject.why = "its output has another type or shape";
      return;
    }
    Comparison comparison(expected);
    comparison.see(answer->bytes());
    comparison.set_verdict(subject);
  }
  std::unique_ptr<Contestant> enter(const Case& question, CaseMemory& memory) override {
    return std::make_unique<WorkerContestant>(*worker_, question.definition, memory);
  }

 private:
  std::unique_ptr<backends::WorkerBackend> worker_;
};

}  // namespace

Result<std::unique_ptr<Entrant>> Entrant::open(const Options& options) {
  if (const auto command = backends::worker_command(options.spelling)) {
    auto worker = backends::WorkerBackend::open(std::string(*command), {.call_limit = worker_call_limit});
    if (!worker) return worker.error();
    return std::unique_ptr<Entrant>(new WorkerEntrant(options, *std::move(worker)));
  }
  if (backends::is_library(options.spelling)) {
    auto library = std::make_unique<HostedEntrant>(options);
    if (auto started = library->start(); !started) return started.error();
    return std::unique_ptr<Entrant>(std::move(library));
  }
  auto backend = backends::open_backend(options.spelling);
  if (!backend) return backend.error();
  return std::unique_ptr<Entrant>(new BuiltInEntrant(options, *std::move(backend)));
}

}  // namespace certile::bench
