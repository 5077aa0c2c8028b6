#include "bench/timing/batch.hpp"

#include <optional>
#include <sstream>

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

}  // namespace certile::bench
