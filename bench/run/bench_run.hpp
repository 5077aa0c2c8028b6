#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/values/case.hpp"

// The facts that a benchmark run found, from which every table, file and picture is made.
namespace certile::bench {

using conformance::Verdict;
using enum conformance::ExitCode;

// The state of the caches.  Hot: one untimed call precedes each timed batch.  Cold: the caches were flushed
// before each call.
enum class Temperature : std::uint8_t { hot, cold };
inline constexpr Temperature temperatures[] = {Temperature::hot, Temperature::cold};
inline std::string_view name(Temperature temperature) noexcept {
  return temperature == Temperature::hot ? "hot" : "cold";
}

// The timings of one thing under one temperature, one entry per round; round i of one thing was taken next to
// round i of the others of its case.
struct Rounds {
  std::vector<double> nanoseconds;  // per call: wall clock of the batch over its calls
  std::int64_t calls = 0;           // in each batch
  double cores = 1;  // processor time over wall clock, median of the rounds: the threads at work
};

// The timings of one thing on one case.
struct Timings {
  std::optional<Rounds> hot, cold;
};

// Returns the rounds of that temperature; null if there are none.
inline const Rounds* rounds_of(const Timings& timings, Temperature temperature) noexcept {
  const std::optional<Rounds>& rounds = temperature == Temperature::hot ? timings.hot : timings.cold;
  return rounds && !rounds->nanoseconds.empty() ? &*rounds : nullptr;
}

// The measure of a limit: writing the output's bytes, or copying a source of the input's footprint repeatedly
// into it, with ordinary or with non-temporal stores, by string instructions, or by the C library.  And for
// an output of at most `most_tiny` bytes, a call by the C interface that is planned and then fills the
// output.
enum class Probe : std::uint8_t {
  fill,
  fill_non_temporal,
  fill_string,
  memset,
  copy,
  copy_non_temporal,
  copy_string,
  memcpy,
  call,
};
inline constexpr std::uint64_t most_tiny = 4096;
std::string_view name(Probe probe) noexcept;  // "fill-non-temporal"

struct Limit : Timings {
  Limit(Probe way, int count) noexcept : probe(way), threads(count) {}
  Probe probe;
  int threads;
};

// One backend, or a baseline, on one case.
struct Subject : Timings {
  std::string name;     // as it was spelled on the command line, or what a library or a worker calls itself
  std::string version;  // of the implementation
  Verdict verdict = Verdict::not_run;
  std::string why;          // if it was not timed: the first line of the explanation
  bool in_process = true;   // false: timed in another process
  bool self_timed = false;  // by the worker itself
  bool allocates = false;   // makes its output itself, which the time includes
};

// A case of a suite, and what was timed on it.
struct TimedCase {
  Case question = {};
  std::string literal;  // canonical
  std::string regime;   // "rows"; the words of the suite's line up to the colon
  std::string words;    // the rest of them: where the case was seen, or what is unusual about it
  std::uint64_t input_bytes = 0, output_bytes = 0;
  std::uint64_t innermost_bytes = 0;  // of the longest run that is contiguous in the data and in the output
  std::vector<Subject> subjects = {};
  std::vector<Limit> limits = {};
};

struct Machine {
  std::string processor, governor, system, compiler, flags, commit, pages, benchmark_library;
  int cores = 0;
  std::uint64_t level1_bytes = 0, level2_bytes = 0, level3_bytes = 0;  // data caches; 0: not known
};
// Returns what this program runs on and was built from.  Unknown facts read "not known", or why.
Machine this_machine();

struct BenchRun {
  Machine machine;
  std::string date;  // UTC, ISO 8601
  std::string command;
  std::string suite;
  std::string baseline;  // name of the subject that ratios are taken to
  int rounds = 0;
  std::uint64_t seed = 0;  // of the random order
  std::vector<TimedCase> cases;
};

}  // namespace certile::bench
