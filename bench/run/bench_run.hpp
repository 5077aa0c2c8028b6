#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/text/terminal.hpp"

// The facts that a benchmark run found, from which every table, file and picture is made.
namespace certile::bench {

using conformance::Verdict;
using enum conformance::ExitCode;

// The state of the caches.  Hot: one untimed call precedes each timed batch.  Cold: the caches were flushed
// before each call.
enum class Temperature : std::uint8_t { hot, cold };

// The timings of one thing under one temperature, one entry per round; round i of one thing was taken next to
// round i of the others of its case.
struct Rounds {
  std::vector<double> nanoseconds;  // per call: wall clock of the batch over its calls
  std::int64_t calls = 0;           // in each batch
  double cores = 1;  // processor time over wall clock, median of the rounds: the threads at work
};

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

struct Limit {
  Probe probe = Probe::fill;
  int threads = 1;
  std::optional<Rounds> hot, cold;
};

// One backend, or a baseline, on one case.
struct Subject {
  std::string name;     // as it was spelled on the command line, or what a library or a worker calls itself
  std::string version;  // of the implementation
  Verdict verdict = Verdict::not_run;
  std::string why;          // if it was not timed: the first line of the explanation
  bool in_process = true;   // false: timed in another process
  bool self_timed = false;  // by the worker itself
  bool allocates = false;   // makes its output itself, which the time includes
  std::optional<Rounds> hot, cold;
};

struct TimedCase {
  std::string literal;  // canonical
  std::string regime;   // "rows"; the words of the suite's line up to the colon
  std::string words;    // the rest of them
  std::uint64_t input_bytes = 0, output_bytes = 0;
  std::uint64_t innermost_bytes = 0;  // of the longest run that is contiguous in the data and in the output
  std::vector<Subject> subjects;
  std::vector<Limit> limits;
};

struct Machine {
  std::string processor, governor, system, compiler, flags, commit, pages, benchmark_library;
  int cores = 0;
  std::uint64_t level1_bytes = 0, level2_bytes = 0, level3_bytes = 0;  // data caches; 0: not known
};

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
