#pragma once
#include <string>
#include <vector>

#include "bench/run/bench_run.hpp"

// A made-up run, for the tests of what is made of runs.
namespace certile::bench {

// Returns ten rounds around `nanoseconds`, their median; none is further away than 2 %.
inline Rounds rounds_around(double nanoseconds, double cores = 1) {
  Rounds rounds{.nanoseconds = {}, .calls = 4, .cores = cores};
  for (const double part : {1.0, 1.01, 0.99, 1.02, 1.0, 0.995, 1.005, 1.01, 0.99, 1.0})
    rounds.nanoseconds.push_back(nanoseconds * part);
  return rounds;
}

inline Subject subject_taking(std::string name, double nanoseconds, double cores = 1) {
  Subject subject;
  subject.name = std::move(name);
  subject.version = "1";
  subject.verdict = Verdict::pass;
  subject.hot = rounds_around(nanoseconds, cores);
  return subject;
}

inline Limit limit_taking(Probe probe, int threads, double nanoseconds) {
  Limit limit(probe, threads);
  limit.hot = rounds_around(nanoseconds);
  return limit;
}

// Returns two regimes and three cases; `quick` is at 0.9 of the limit and ten times as fast as `plain`, the
// baseline; `broken` fails the first case.
inline BenchRun synthetic_run() {
  BenchRun run;
  run.machine = {.processor = "Example 9000",
                 .governor = "performance",
                 .system = "Linux 6",
                 .compiler = "g++ 12.2.0",
                 .flags = "-O3",
                 .commit = "0123abc",
                 .pages = "huge pages",
                 .benchmark_library = "Google Benchmark 1.7.1, a debug build",
                 .cores = 2,
                 .level1_bytes = 32768,
                 .level2_bytes = 1048576,
                 .level3_bytes = 33554432};
  run.date = "2026-01-02T03:04:05Z";
  run.command = "certile-bench quick plain broken";
  run.suite = "workloads";
  run.baseline = "plain";
  run.rounds = 10;
  run.seed = 7;

  TimedCase tiny{.literal = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}",
                 .regime = "tiny",
                 .words = "the specification's example",
                 .input_bytes = 96,
                 .output_bytes = 576,
                 .innermost_bytes = 16,
                 .subjects = {subject_taking("quick", 20), subject_taking("plain", 200)},
                 .limits = {limit_taking(Probe::fill, 1, 18), limit_taking(Probe::memset, 1, 19)}};
  Subject broken;
  broken.name = "broken";
  broken.version = "0";
  broken.verdict = Verdict::fail;
  broken.why = "element [0,0,4] is 0x0, expected 0x3f800000";
  tiny.subjects.push_back(broken);

  const double mebibytes = 8.0 * 1048576;
  TimedCase rows{.literal = "onnx-tile-13 f32[5,1,12800] x i64{1,32,1}",
                 .regime = "rows",
                 .words = "a model",
                 .input_bytes = 256000,
                 .output_bytes = 8 * 1048576,
                 .innermost_bytes = 51200,
                 .subjects = {subject_taking("quick", mebibytes / 90), subject_taking("plain", mebibytes / 9),
                              subject_taking("broken", mebibytes / 50)},
                 .limits = {limit_taking(Probe::fill, 1, mebibytes / 100),
                            limit_taking(Probe::fill_non_temporal, 1, mebibytes / 27),
                            limit_taking(Probe::copy, 1, mebibytes / 95),
                            limit_taking(Probe::fill, 2, mebibytes / 190)}};
  rows.subjects[0].cold = rounds_around(mebibytes / 18);
  rows.limits[0].cold = rounds_around(mebibytes / 20);

  TimedCase large = rows;
  large.literal = "onnx-tile-13 f32[4096,4096] x i64{2,1}";
  large.words = "";
  large.input_bytes = 64 * 1048576;
  large.output_bytes = 128 * 1048576;
  for (Subject& subject : large.subjects)
    subject.cold.reset();
  for (Limit& limit : large.limits)
    limit.cold.reset();
  run.cases = {tiny, rows, large};
  return run;
}

}  // namespace certile::bench
