#include "bench/timing/measure.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "backends/plugin/status.hpp"
#include "bench/run/statistics.hpp"
#include "conformance/plan/tiers/random_cases.hpp"
#include "conformance/text/foreign_json.hpp"

namespace certile::bench {
namespace {

// A collector of the figures that the library reports of a batch.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) run_ = run;
  }
  const std::optional<Run>& run() const noexcept { return run_; }

 private:
  std::optional<Run> run_;
};

}  // namespace

Result<Sample> run_batch(TimedCall& timed_call, Temperature temperature, std::int64_t calls) {
  benchmark::internal::Benchmark* const registered = benchmark::RegisterBenchmark(
      "batch", [&](benchmark::State& state) { timed_call.run(state, temperature); });
  registered->Iterations(calls)->MeasureProcessCPUTime();
  if (temperature == Temperature::hot && !timed_call.is_elsewhere())
    registered->UseRealTime();
  else
    registered->UseManualTime();
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, ".");
  benchmark::ClearRegisteredBenchmarks();

  const auto& run = collector.run();
  if (!run) return Error{Error::Code::backend_failed, "the benchmark library reported nothing"};
  if (run->error_occurred) return Error{Error::Code::backend_failed, run->error_message};
  const auto counter = [&](const char* name) -> std::optional<double> {
    const auto found = run->counters.find(name);
    if (found == run->counters.end()) return std::nullopt;
    return found->second.value;
  };
  const double wall = run->real_accumulated_time;
  const double processors = counter(processor_seconds).value_or(run->cpu_accumulated_time);
  return Sample{1e9 * wall / static_cast<double>(run->iterations), wall > 0 ? processors / wall : 0};
}

std::string benchmark_library() {
  // The library writes its description only at the head of its JSON.
  std::ostringstream head;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&head);
  reporter.ReportContext(benchmark::BenchmarkReporter::Context());
  const auto json = conformance::foreign_json(head.str() + "]}");
  const std::string built = json.is_discarded() ? "" : json["context"].value("library_build_type", "");
  const std::string version = CERTILE_BENCHMARK_VERSION;
  if (built == "debug") return version + ", which calls itself a debug build";
  return built.empty() ? version : version + ", " + built + " build";
}

void TableCall::run(benchmark::State& state, Temperature temperature) {
  const backends::PluginCall call = memory_.call(definition_);
  certile_tensor output = backends::c_tensor(memory_.output());
  std::array<char, 256> message{};
  certile_text why{sizeof why, message.size(), message.data()};
  const certile_call& called = call;
  run_here(state, temperature, memory_,
           [&] { return table_.run(table_.self, &called, &output, &why) == CERTILE_OK; });
}

namespace {

constexpr std::int64_t most_calls = 1'000'000;

// One entry at one temperature.
struct Lane {
  Entry* entry;
  Temperature temperature;
  std::optional<Rounds>* result;
  Rounds rounds = {};
  std::vector<double> cores = {};
  int planned = 0;  // rounds that include it
};

// The threads of a parallel backend spin for some milliseconds before they sleep, which must not slow the
// next batch.
constexpr auto rest_after_threads = std::chrono::milliseconds(10);
constexpr double busy_on_more_cores = 1.1;

bool run(Lane& lane, std::int64_t calls, Sample& sample) {
  auto ran = run_batch(*lane.entry->timed_call, lane.temperature, calls);
  if (ran)
    sample = *ran;
  else
    lane.entry->failure = ran.error().what;
  if (sample.cores > busy_on_more_cores && lane.entry->timed_call->leaves_threads())
    std::this_thread::sleep_for(rest_after_threads);
  return static_cast<bool>(ran);
}

void keep(Lane& lane, std::int64_t calls, const Sample& sample) {
  lane.rounds.calls = calls;
  lane.rounds.nanoseconds.push_back(sample.nanoseconds);
  lane.cores.push_back(sample.cores);
}

// Decides the calls of a batch and the number of rounds, by trying.  If the timed call is too slow for more,
// the trial is the only round.
void plan(Lane& lane, const MeasureOptions& options) {
  Sample sample;
  std::int64_t calls = 1;
  double call = 0;  // seconds of one call, and of one call with its surroundings
  double cost = 0;
  for (;; calls *= 8) {
    const auto start = std::chrono::steady_clock::now();
    if (!run(lane, calls, sample)) return;
    // An untimed call comes first.
    cost = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
           static_cast<double>(calls + 1);
    call = std::max(sample.nanoseconds, 1.0) * 1e-9;
    if (call * static_cast<double>(calls) > options.batch_seconds / 8 || calls >= most_calls) break;
  }
  // The time to reach another process is no part of the budget, because too few rounds would be left.
  if (lane.entry->timed_call->is_elsewhere()) cost = call;
  const double affordable = options.entry_seconds / std::max(call, cost);  // calls, in all rounds
  if (affordable < 2) return keep(lane, calls, sample);
  const double wanted = std::clamp(std::ceil(options.batch_seconds / call), static_cast<double>(least_calls),
                                   static_cast<double>(most_calls));
  lane.rounds.calls = static_cast<std::int64_t>(std::clamp(affordable / options.rounds - 1, 1.0, wanted));
  lane.planned = static_cast<int>(std::clamp(affordable / static_cast<double>(lane.rounds.calls + 1), 1.0,
                                             static_cast<double>(options.rounds)));
}

void shuffle(std::vector<Lane*>& lanes, conformance::Random& random) {
  for (std::size_t left = lanes.size(); left > 1; --left)
    std::swap(lanes[left - 1], lanes[static_cast<std::size_t>(random.below(left))]);
}

}  // namespace

bool measure(std::vector<Entry>& entries, const MeasureOptions& options) {
  std::vector<Lane> lanes;
  for (Entry& entry : entries) {
    if (entry.hot != nullptr) lanes.push_back({&entry, Temperature::hot, entry.hot});
    if (entry.cold != nullptr) lanes.push_back({&entry, Temperature::cold, entry.cold});
  }
  for (Lane& lane : lanes) {
    if (options.stop()) return false;
    if (lane.entry->failure.empty()) plan(lane, options);
  }
  conformance::Random random(options.seed);
  std::vector<Lane*> order;
  for (Lane& lane : lanes)
    order.push_back(&lane);
  for (int round = 0; round < options.rounds; ++round) {
    shuffle(order, random);
    for (Lane* lane : order) {
      if (options.stop()) return false;
      if (!lane->entry->failure.empty() || round >= lane->planned) continue;
      Sample sample;
      if (run(*lane, lane->rounds.calls, sample)) keep(*lane, lane->rounds.calls, sample);
    }
  }
  for (Lane& lane : lanes) {
    if (!lane.entry->failure.empty() || lane.cores.empty()) continue;
    lane.rounds.cores = median(lane.cores);
    *lane.result = std::move(lane.rounds);
  }
  return true;
}

}  // namespace certile::bench
