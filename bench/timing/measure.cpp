#include "bench/timing/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "bench/run/statistics.hpp"
#include "bench/timing/batch.hpp"
#include "conformance/plan/tiers/random.hpp"

namespace certile::bench {
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
