#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "bench/harness/small_cases.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/run/run_plan.hpp"

// How fast certile itself is: cases a second through the whole loop — plan, generate, isolate, run, compare,
// record — with one runner and one host process, and literals a second through the oracle.  Wall clock,
// because two processes work.  The files next to this one time isolation and a worker's case.

namespace certile::bench {
namespace {

void whole_loop(benchmark::State& state) {
  const backends::Claim claim = claim_of_scalar();
  const std::size_t planned =
      conformance::make_plan(claim, conformance::shared_memory, conformance::PlanOptions{})->cases.size();
  const conformance::Plan plan = small_cases(claim);
  conformance::RunOptions options;
  options.isolate.spelling = "scalar";
  const std::string records_path =
      std::filesystem::temp_directory_path() / ("certile-bench-" + std::to_string(getpid()));
  for ([[maybe_unused]] auto _ : state) {
    // Planning is timed as well; `plan` came from an equal plan.
    benchmark::DoNotOptimize(
        conformance::make_plan(claim, conformance::shared_memory, conformance::PlanOptions{}));
    conformance::RunHeader header;
    header.claim = claim;
    header.planned = static_cast<std::int64_t>(plan.cases.size());
    conformance::Summary summary(header);
    auto records = *conformance::RecordWriter::open(records_path);
    if (!records->header(summary.header())) state.SkipWithError("the header cannot be written");
    const auto ran = conformance::run_plan(plan, options, [&](const conformance::Record& record) {
      summary.add(record);
      return records->record(record);
    });
    if (!ran || !records->footer(summary)) state.SkipWithError("the run failed");
    if (summary.count(conformance::Verdict::fail) != 0) state.SkipWithError("a case failed");
  }
  std::filesystem::remove(records_path);
  const auto cases = static_cast<double>(plan.cases.size()) * static_cast<double>(state.iterations());
  state.counters["cases"] = static_cast<double>(plan.cases.size());
  state.counters["left_out"] = static_cast<double>(planned - plan.cases.size());
  state.counters["cases_per_second"] = benchmark::Counter(cases, benchmark::Counter::kIsRate);
}
BENCHMARK(whole_loop)->UseRealTime()->Unit(benchmark::kMillisecond);

void oracle_lines(benchmark::State& state) {
  const conformance::Plan plan = small_cases(claim_of_scalar());
  std::string lines;
  std::size_t count = 0;
  for (const conformance::PlannedCase& planned : plan.cases) {
    if (++count > 50'000) break;
    lines += planned.literal + "\n";
  }
  for ([[maybe_unused]] auto _ : state) {
    std::istringstream in(lines);
    std::ostringstream out, error;
    if (conformance::oracle_command({"-", false}, in, out, error) != 0)
      state.SkipWithError("a literal was refused");
  }
  const auto answered = static_cast<double>(count) * static_cast<double>(state.iterations());
  state.counters["literals_per_second"] = benchmark::Counter(answered, benchmark::Counter::kIsRate);
}
BENCHMARK(oracle_lines)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace certile::bench

int main(int argument_count, char** arguments) {
  // Hosts and keepers are this program again, as they are for certile.
  if (const auto code = certile::conformance::run_as_own_process(argument_count, arguments)) return *code;
  benchmark::Initialize(&argument_count, arguments);
  if (benchmark::ReportUnrecognizedArguments(argument_count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
