#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "bench/harness/small_cases.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/judge/expectation.hpp"

// The cost of calling a backend in another process is measured in three ways, with the same small calls in
// turn: directly; in this process with all the rig's work around a call; and through an Isolate.  Other work
// on the machine slows every way, so the best of all turns counts.

namespace certile::bench {
namespace {

constexpr std::size_t wanted_calls = 2048;  // eight batches

struct SmallCall {
  conformance::Request request;
  Shape shape;  // of the output
};

// Returns calls that have an answer, because these cost most.
std::vector<SmallCall> small_calls() {
  std::vector<SmallCall> calls;
  for (const conformance::PlannedCase& planned : small_cases(claim_of_scalar()).cases) {
    const Case question = planned.question();
    if (question.placement.shape_only) continue;
    const auto expected = conformance::expect(question);
    const auto* answer = expected ? std::get_if<conformance::Answer>(&*expected) : nullptr;
    if (answer == nullptr) continue;
    calls.push_back({conformance::make_request(question, *expected), answer->shape});
    if (calls.size() == wanted_calls) break;
  }
  return calls;
}

// The best of several turns of the same work, by wall clock.
class BestOf {
 public:
  template <class Work>
  void time(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best_ = std::min(best_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  double nanoseconds_each(std::size_t calls) const { return best_ * 1e9 / static_cast<double>(calls); }

 private:
  double best_ = std::numeric_limits<double>::max();
};

// Calls `infer` and `run` once each, as a program that trusts its backend does.
void call_directly(const backends::Plugin& backend, const std::vector<SmallCall>& calls,
                   std::vector<std::byte>& output) {
  for (const SmallCall& each : calls) {
    const Tensor& data = each.request.data.front();
    const auto call = [&each, &data] {
      return backends::PluginCall(each.request.definition, data.view(), each.request.repeats.view(),
                                  view_of(each.request.axis));
    };
    benchmark::DoNotOptimize(backend.infer(call()));
    const std::size_t size = *byte_size(data.type(), *element_count(each.shape));
    const MutableTensorView out{data.type(), each.shape, std::span(output).first(size)};
    benchmark::DoNotOptimize(backend.run(call(), backends::c_tensor(out)));
  }
}

void isolation_cost(benchmark::State& state) {
  const std::vector<SmallCall> calls = small_calls();
  const auto backend = backends::open_backend("scalar");
  const auto control = std::make_unique<conformance::ControlBlock>();
  constexpr std::size_t room = std::size_t{1} << 20;
  auto rig = conformance::Rig::create(room, *control);
  conformance::IsolateOptions options;
  options.spelling = "scalar";
  const auto isolate = conformance::open_asker(options);
  if (!backend || !rig || !isolate) return state.SkipWithError("it cannot be started");
  std::size_t answered = 0, asked = 0;
  (*isolate)->listen(
      [&answered](const conformance::RawAnswer& answer) { answered += answer.reply ? 1U : 0U; });
  std::vector<std::byte> output(room);
  BestOf direct, checked, isolated;
  bool failed = false;
  for ([[maybe_unused]] auto _ : state) {
    direct.time([&] { call_directly(*backend, calls, output); });
    checked.time([&] {
      for (const SmallCall& each : calls)
        benchmark::DoNotOptimize(rig->answer(*backend, each.request));
    });
    isolated.time([&] {
      for (const SmallCall& each : calls)
        failed |= !(*isolate)->submit(each.request);
      failed |= !(*isolate)->finish();
    });
    asked += calls.size();
  }
  if (failed || answered != asked) state.SkipWithError("not every call was answered");
  const auto each = [&](const BestOf& way) { return way.nanoseconds_each(calls.size()); };
  state.counters["direct_ns"] = each(direct);
  state.counters["checked_ns"] = each(checked);
  state.counters["isolated_ns"] = each(isolated);
  state.counters["over_direct_ns"] = each(isolated) - each(direct);
  state.counters["over_checked_ns"] = each(isolated) - each(checked);
}
BENCHMARK(isolation_cost)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(2);

}  // namespace
}  // namespace certile::bench
