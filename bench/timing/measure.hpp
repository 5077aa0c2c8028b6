#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/timing/contestant.hpp"

namespace certile {

struct MeasureOptions {
  int rounds = 15;
  std::uint64_t seed = 1;         // of the order within each round
  double batch_seconds = 2e-3;    // what a batch should take, if its calls are short enough
  double contestant_seconds = 3;  // what one contestant may take at one temperature, all rounds together
  std::function<bool()> stop = [] { return false; };  // asked between batches
};

// A contestant and where its timings go.
struct Entry {
  Contestant* contestant = nullptr;
  std::optional<Rounds>* hot = nullptr;   // null: not asked
  std::optional<Rounds>* cold = nullptr;  // null: not asked
  std::string failure = {};               // set where it failed; what it had is then dropped
};

// Times the entries of one case side by side: in every round each of them once, hot and cold apart, in an
// order drawn anew from the seed.
//
// A batch has as many calls as fill `batch_seconds`, at least 4; where that would exceed
// `contestant_seconds`, untimed calls and flushing included, fewer calls, down to 1; then fewer rounds, so
// that a slow contestant takes part in the first ones only, and in one at least.  False when stopped; the
// timings are then incomplete.
bool measure(std::vector<Entry>& entries, const MeasureOptions& options);

}  // namespace certile
