#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/timing/timed_call.hpp"

namespace certile::bench {

// A batch has no fewer calls, if the budget allows them.
inline constexpr std::int64_t least_calls = 4;

struct MeasureOptions {
  int rounds = 15;
  std::uint64_t seed = 1;       // of the order within each round
  double batch_seconds = 2e-3;  // what a batch should take, if its calls are short enough
  double entry_seconds = 3;     // what one timed call may take at one temperature, all rounds together
  std::function<bool()> stop = [] { return false; };  // asked between batches
};

// A timed call and where its timings go.
struct Entry {
  TimedCall* timed_call = nullptr;
  std::optional<Rounds>* hot = nullptr;   // null: not timed
  std::optional<Rounds>* cold = nullptr;  // null: not timed
  std::string failure = {};               // set if the timed call failed; its timings are then dropped
};

// Times the entries of one case side by side: each once in every round, separately hot and cold, in an order
// drawn from the seed.
//
// A batch has as many calls as fill `batch_seconds`, at least 4.  If that would exceed `entry_seconds`,
// untimed calls and flushing included, it has fewer calls, down to 1; then there are fewer rounds, so that a
// slow timed call takes part only in the first ones, and in one at least.  Returns false if stopped; the
// timings are then incomplete.
bool measure(std::vector<Entry>& entries, const MeasureOptions& options);

}  // namespace certile::bench
