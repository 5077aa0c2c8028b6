#include "bench/run/entrant.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "backends/registry/registry.hpp"
#include "bench/timing/table_call.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/text/interrupt.hpp"
#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/packed.hpp"

namespace certile::bench {
namespace {

constexpr int call_limit = 60'000;  // milliseconds; a batch has as much for each of its calls
// The number of copies of the largest case for which a backend gets memory, added to the usual limit.
constexpr std::uint64_t copies_of_a_case = 8;

void set_refusal(Subject& subject, const Error& error) {
  subject.verdict = error.code == Error::Code::unsupported ? Verdict::unsupported
                    : error.code == Error::Code::io        ? Verdict::not_run
                                                           : Verdict::fail;
  subject.why = conformance::printable(error.what);
}

// Returns the first wrong byte of the output, of which `part` begins at `begin`.  Bits after the last element
// do not count.
std::optional<std::size_t> wrong_byte(const Tensor& expected, std::size_t begin,
                                      std::span<const std::byte> part) {
  const std::span<const std::byte> due = expected.bytes().subspan(begin);
  if (part.empty() || part.size() > due.size()) return begin;
  if (std::memcmp(part.data(), due.data(), part.size()) == 0) return std::nullopt;
  const auto differs = std::ranges::mismatch(part, due).in1;
  const auto at = static_cast<std::size_t>(differs - part.begin());
  const bool is_in_padding =
      is_packed(expected.type()) && at + 1 == due.size() &&
      ((*differs ^ due[at]) & used_bits_of_last_byte(expected.type(), expected.count())) == std::byte{0};
  return is_in_padding ? std::nullopt : std::optional(begin + at);
}

// A library or a worker, timed in its process: by that process's clock, or by its own.
class AskedCall : public TimedCall {
 public:
  AskedCall(conformance::Asker& asker, conformance::Request request, bool is_hot_only)
      : asker_(asker), request_(std::move(request)), is_hot_only_(is_hot_only) {}
  bool can(Temperature temperature) const noexcept override {
    return temperature == Temperature::hot || !is_hot_only_;
  }
  bool is_elsewhere() const noexcept override { return true; }
  void run(benchmark::State& state, Temperature temperature) override {
    const auto calls = static_cast<std::int64_t>(state.max_iterations);
    request_.plain = conformance::PlainCalls{
        .timed = calls, .cold = temperature == Temperature::cold, .again = has_asked_};
    const auto took =
        asker_.time(request_, call_limit * static_cast<int>(std::min<std::int64_t>(calls + 1, 100)));
    if (!took) return state.SkipWithError(took.error().what.c_str());
    has_asked_ = true;
    const double seconds = 1e-9 * static_cast<double>(took->nanoseconds);
    while (state.KeepRunningBatch(calls))
      state.SetIterationTime(seconds);
    state.counters[processor_seconds] = 1e-9 * static_cast<double>(took->processors);
  }

 private:
  conformance::Asker& asker_;
  conformance::Request request_;
  bool is_hot_only_;
  bool has_asked_ = false;
};

// A backend that is asked in its own process.
class AskedEntrant : public Entrant {
 public:
  explicit AskedEntrant(const Options& options) : options_(options) {
    facts_.name = options.spelling;
    facts_.in_process = false;
    facts_.self_timed = facts_.allocates = backends::worker_command(options.spelling).has_value();
  }
  // Starts the process if none runs.
  Result<Done> start() {
    if (asker_) return Done{};
    conformance::IsolateOptions options;
    options.program = options_.program;
    options.spelling = options_.spelling;
    options.keeps_environment = true;  // for settings of a backend's threads
    options.interrupted = &conformance::interrupted();
    options.stop = [] { return conformance::interrupted().load(); };
    options.layout.request_bytes = std::max<std::size_t>(options.layout.request_bytes, options_.largest_case);
    options.memory_limit += copies_of_a_case * options_.largest_case;
    auto asker = conformance::open_asker(options);
    if (!asker) return asker.error();
    asker_ = *std::move(asker);
    own_name_ = asker_->claim().name;
    facts_.version = conformance::printable_name(asker_->claim().version);
    definitions_ = asker_->claim().definitions;
    return Done{};
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    if (const auto started = start(); !started) return set_refusal(subject, started.error());
    conformance::Request request = conformance::plain_request(question, expected.shape());
    for (std::size_t begin = 0; begin < expected.bytes().size();) {
      request.plain = conformance::PlainCalls{.again = begin > 0, .begin = begin};
      const auto part = asker_->part_of_output(request, static_cast<int>(options_.patience.count()));
      if (!part) return set_refusal(subject, part.error());
      if (const auto wrong = wrong_byte(expected, begin, *part)) {
        subject.verdict = Verdict::fail;
        subject.why = "byte " + std::to_string(*wrong) + " of the output is wrong";
        return;
      }
      begin += part->size();
    }
    subject.verdict = Verdict::pass;
  }
  std::unique_ptr<TimedCall> enter(const Case& question, CaseMemory&) override {
    return std::make_unique<AskedCall>(
        *asker_, conformance::plain_request(question, *oracle::output_shape(question)), facts_.self_timed);
  }

 protected:
  Options options_;
  std::unique_ptr<conformance::Asker> asker_;  // null: its process was not started
};

class BuiltInEntrant : public AskedEntrant {
 public:
  BuiltInEntrant(const Options& options, backends::Plugin backend)
      : AskedEntrant(options), backend_(std::move(backend)) {
    facts_.version = backend_.claim().version;
    definitions_ = backend_.claim().definitions;
    facts_.in_process = true;
  }
  void check(const Case& question, const Tensor& expected, Subject& subject) override {
    AskedEntrant::check(question, expected, subject);
    asker_.reset();  // its process has large buffers
  }
  std::unique_ptr<TimedCall> enter(const Case& question, CaseMemory& memory) override {
    return std::make_unique<TableCall>(backend_.table(), question.definition, memory);
  }

 private:
  backends::Plugin backend_;
};

}  // namespace

Result<std::unique_ptr<Entrant>> Entrant::open(const Options& options) {
  if (backends::is_library(options.spelling) || backends::worker_command(options.spelling)) {
    auto entrant = std::make_unique<AskedEntrant>(options);
    if (auto started = entrant->start(); !started) return started.error();
    return std::unique_ptr<Entrant>(std::move(entrant));
  }
  auto backend = backends::open_backend(options.spelling);
  if (!backend) return backend.error();
  return std::unique_ptr<Entrant>(new BuiltInEntrant(options, *std::move(backend)));
}

}  // namespace certile::bench
