#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "bench/harness/small_cases.hpp"
#include "conformance/running/session.hpp"

// What certile itself does for a small case that a worker process answers: makes the case and its answer,
// asks, takes the reply, judges. In time of processors, of certile's own processes: what the worker takes is
// its own affair, and told apart.

#ifdef CERTILE_EXAMPLE_WORKER
namespace certile {
namespace {

namespace files = std::filesystem;

constexpr std::size_t wanted_cases = 4096;

std::vector<pid_t> children_of(const files::path& process) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& task : files::directory_iterator(process / "task", gone)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;)
      found.push_back(child);
  }
  return found;
}

// Nanoseconds that its threads were on a processor.
std::uint64_t run_time(const files::path& process) {
  std::uint64_t sum = 0;
  std::error_code gone;
  for (const auto& task : files::directory_iterator(process / "task", gone)) {
    std::uint64_t nanoseconds = 0;
    std::ifstream(task.path() / "schedstat") >> nanoseconds;
    sum += nanoseconds;
  }
  return sum;
}

struct Spent {
  std::uint64_t own = 0, worker = 0;  // nanoseconds so far
};

// This process and those below it: the ones that run the same program are certile's.
void add_below(const files::path& process, Spent& spent) {
  std::error_code gone;
  const bool is_own =
      files::read_symlink(process / "exe", gone) == files::read_symlink("/proc/self/exe", gone);
  (is_own ? spent.own : spent.worker) += run_time(process);
  for (const pid_t child : children_of(process))
    add_below("/proc/" + std::to_string(child), spent);
}

Spent spent_so_far() {
  Spent spent;
  add_below("/proc/" + std::to_string(getpid()), spent);
  return spent;
}

void worker_part(benchmark::State& state) {
  IsolateOptions options;
  options.spelling = std::string("worker:exec '") + CERTILE_EXAMPLE_WORKER + "'";
  auto session = Session::open(options);
  if (!session) return state.SkipWithError("the worker cannot be started");
  Plan plan = small_cases(session->claim());
  plan.cases.resize(std::min(plan.cases.size(), wanted_cases));
  std::size_t answered = 0, asked = 0;
  session->listen([&answered](const Judged& judged) {
    const Verdict verdict = judged.record.verdict;
    answered += verdict != Verdict::fail && verdict != Verdict::not_run ? 1U : 0U;
  });
  bool failed = false;
  Spent best{std::numeric_limits<std::uint64_t>::max(), 0};
  for ([[maybe_unused]] auto _ : state) {
    const Spent before = spent_so_far();
    for (const PlannedCase& planned : plan.cases)
      failed |= !session->ask(planned);
    failed |= !session->finish();
    const Spent after = spent_so_far();
    if (after.own - before.own < best.own) best = {after.own - before.own, after.worker - before.worker};
    asked += plan.cases.size();
  }
  if (failed || answered != asked) state.SkipWithError("a case failed");
  const auto cases = static_cast<double>(plan.cases.size());
  state.counters["cases"] = cases;
  state.counters["own_ns"] = static_cast<double>(best.own) / cases;
  state.counters["worker_ns"] = static_cast<double>(best.worker) / cases;
}
BENCHMARK(worker_part)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(2);

}  // namespace
}  // namespace certile
#endif
