#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bench/harness/small_cases.hpp"
#include "conformance/run/session.hpp"

// The time that certile itself spends on a small case of a worker: it makes the case and its answer, asks,
// takes the reply, judges.  It is processor time of certile's processes; the worker's is counted separately.
// The same cases go to `scalar` in turn, and the difference is the price of the worker's transport.

#ifdef CERTILE_EXAMPLE_WORKER
namespace certile::bench {
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

// Returns the nanoseconds that the threads of the process were on a processor.
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

// Returns how often the process's threads left a processor, voluntarily or not.
std::uint64_t switches_of(const files::path& process) {
  std::uint64_t sum = 0;
  std::error_code gone;
  for (const auto& task : files::directory_iterator(process / "task", gone)) {
    std::ifstream status(task.path() / "status");
    for (std::string name; status >> name;) {
      if (!name.ends_with("voluntary_ctxt_switches:")) continue;
      std::uint64_t count = 0;
      status >> count;
      sum += count;
    }
  }
  return sum;
}

struct Spent {
  std::uint64_t own = 0, worker = 0;  // nanoseconds so far
  std::uint64_t switches = 0;         // of all processes
};

// Adds this process and its descendants: the ones that run the same program are certile's.
void add_below(const files::path& process, Spent& spent) {
  std::error_code gone;
  const bool is_own =
      files::read_symlink(process / "exe", gone) == files::read_symlink("/proc/self/exe", gone);
  (is_own ? spent.own : spent.worker) += run_time(process);
  spent.switches += switches_of(process);
  for (const pid_t child : children_of(process))
    add_below("/proc/" + std::to_string(child), spent);
}

Spent spent_so_far() {
  Spent spent;
  add_below("/proc/" + std::to_string(getpid()), spent);
  return spent;
}

// A backend that answers the cases: a worker, or one in certile's own process.
class Asked {
 public:
  static Result<Asked> open(const std::string& spelling) {
    conformance::IsolateOptions options;
    options.spelling = spelling;
    auto session = conformance::Session::open(options);
    if (!session) return session.error();
    return Asked(*std::move(session));
  }

  const backends::Claim& claim() const { return session_->claim(); }
  // Returns the time spent in the best of all turns.
  const Spent& best() const { return best_; }

  // Returns false if the session fails.  Wrong answers do not matter here.
  bool take_turn(const conformance::Plan& plan) {
    session_->listen([](const conformance::Judged&) {});
    const Spent before = spent_so_far();
    for (const conformance::PlannedCase& planned : plan.cases)
      if (!session_->ask(planned)) return false;
    if (!session_->finish()) return false;
    const Spent after = spent_so_far();
    if (after.own - before.own < best_.own)
      best_ = {after.own - before.own, after.worker - before.worker, after.switches - before.switches};
    return true;
  }

 private:
  explicit Asked(conformance::Session session) : session_(std::move(session)) {}

  std::optional<conformance::Session> session_;
  Spent best_{std::numeric_limits<std::uint64_t>::max(), 0, 0};
};

// Times the worker of the command CERTILE_WORKER, or the example in C, which gets one call per message.
void worker_part(benchmark::State& state) {
  const char* const command = std::getenv("CERTILE_WORKER");
  const std::string example = std::string("exec '") + CERTILE_EXAMPLE_WORKER + "'";
  auto worker = Asked::open("worker:" + (command != nullptr ? std::string(command) : example));
  auto scalar = Asked::open("scalar");
  if (!worker || !scalar) return state.SkipWithError("the worker cannot be started");
  conformance::Plan plan = small_cases(worker->claim());
  plan.cases.resize(std::min(plan.cases.size(), wanted_cases));
  bool failed = false;
  for ([[maybe_unused]] auto _ : state)
    failed |= !worker->take_turn(plan) || !scalar->take_turn(plan);
  if (failed) state.SkipWithError("a session failed");
  const auto per_case = [&plan](std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / static_cast<double>(plan.cases.size());
  };
  state.counters["cases"] = static_cast<double>(plan.cases.size());
  state.counters["own_ns"] = per_case(worker->best().own);
  state.counters["scalar_ns"] = per_case(scalar->best().own);
  state.counters["door_ns"] = per_case(worker->best().own) - per_case(scalar->best().own);
  state.counters["worker_ns"] = per_case(worker->best().worker);
  // Switches of certile's processes and the worker's.
  state.counters["cases_per_switch"] =
      static_cast<double>(plan.cases.size()) /
      static_cast<double>(std::max<std::uint64_t>(worker->best().switches, 1));
}
BENCHMARK(worker_part)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(2);

}  // namespace
}  // namespace certile::bench
#endif
