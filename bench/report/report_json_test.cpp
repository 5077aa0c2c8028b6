#include "bench/report/report_json.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/report/synthetic_run_test.hpp"
#include "conformance/text/output_file.hpp"

namespace certile {
namespace {

using Json = nlohmann::json;

void expect_equal(const std::optional<Rounds>& one, const std::optional<Rounds>& other) {
  ASSERT_EQ(one.has_value(), other.has_value());
  if (!one) return;
  EXPECT_EQ(one->nanoseconds, other->nanoseconds);
  EXPECT_EQ(one->calls, other->calls);
  EXPECT_EQ(one->cores, other->cores);
}

TEST(RunAsJson, GivesBackEveryRound) {
  const BenchRun run = synthetic_run();
  const auto read = run_from_json(to_json(run));
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->cases.size(), run.cases.size());
  for (std::size_t which = 0; which < run.cases.size(); ++which) {
    const TimedCase &before = run.cases[which], &after = read->cases[which];
    ASSERT_EQ(after.subjects.size(), before.subjects.size());
    ASSERT_EQ(after.limits.size(), before.limits.size());
    for (std::size_t index = 0; index < before.subjects.size(); ++index) {
      expect_equal(after.subjects[index].hot, before.subjects[index].hot);
      expect_equal(after.subjects[index].cold, before.subjects[index].cold);
    }
    for (std::size_t index = 0; index < before.limits.size(); ++index) {
      EXPECT_EQ(after.limits[index].probe, before.limits[index].probe);
      EXPECT_EQ(after.limits[index].threads, before.limits[index].threads);
      expect_equal(after.limits[index].hot, before.limits[index].hot);
      expect_equal(after.limits[index].cold, before.limits[index].cold);
    }
  }
}

// Every fact is written, so a run that was read and written again is the same text.
TEST(RunAsJson, IsTheSameTextWhenReadAndWrittenAgain) {
  BenchRun run = synthetic_run();
  run.seed = 0xffff'ffff'ffff'ffff;
  run.cases[1].subjects[0].self_timed = true;
  run.cases[1].subjects[0].in_process = false;
  run.cases[1].subjects[0].allocates = true;
  const std::string text = to_json(run);
  const auto read = run_from_json(text);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(to_json(*read), text);
  EXPECT_EQ(read->seed, run.seed);
  EXPECT_TRUE(read->cases[1].subjects[0].self_timed);
  EXPECT_TRUE(read->cases[1].subjects[0].allocates);
  EXPECT_FALSE(read->cases[1].subjects[0].in_process);
  EXPECT_EQ(read->cases[0].subjects[2].verdict, Verdict::fail);
  EXPECT_EQ(read->machine.commit, "0123abc");
}

TEST(RunAsJson, CaseThatIsThereTwiceKeepsItsRoundsApart) {
  BenchRun run = synthetic_run();
  run.cases.push_back(run.cases[0]);
  run.cases.back().subjects[0].hot = rounds_around(77);
  const auto read = run_from_json(to_json(run));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cases.back().subjects[0].hot->nanoseconds, rounds_around(77).nanoseconds);
  EXPECT_EQ(read->cases[0].subjects[0].hot->nanoseconds, rounds_around(20).nanoseconds);
}

// What compare.py asks of a file.
TEST(RunAsJson, HasWhatGoogleBenchmarkWrites) {
  const Json whole = Json::parse(to_json(synthetic_run()));
  for (const char* key : {"date", "executable", "num_cpus", "caches", "library_build_type"})
    EXPECT_TRUE(whole["context"].contains(key)) << key;
  int iterations = 0, aggregates = 0, errors = 0;
  for (const Json& entry : whole["benchmarks"]) {
    for (const char* key :
         {"name", "run_name", "run_type", "repetitions", "threads", "iterations", "real_time", "cpu_time",
          "time_unit", "family_index", "per_family_instance_index"})
      EXPECT_TRUE(entry.contains(key) && !entry[key].is_null()) << key << " in " << entry;
    if (entry["run_type"] == "aggregate") {
      EXPECT_EQ(entry["name"].get<std::string>(),
                entry["run_name"].get<std::string>() + "_" + entry["aggregate_name"].get<std::string>());
      ++aggregates;
      continue;
    }
    EXPECT_EQ(entry["name"], entry["run_name"]);
    if (entry.contains("error_occurred")) {
      ++errors;
      continue;
    }
    EXPECT_TRUE(entry.contains("bytes_per_second"));
    EXPECT_EQ(entry["repetitions"], 10);
    ++iterations;
  }
  // 2 + 3 + 3 subjects hot, one cold; 2 + 4 + 4 limits hot, one cold.
  EXPECT_EQ(iterations, 20 * 10);
  EXPECT_EQ(aggregates, 20 * 4);
  EXPECT_EQ(errors, 1);
}

TEST(RunAsJson, NamesAreBackendLiteralAndCold) {
  const std::string text = to_json(synthetic_run());
  EXPECT_NE(text.find(R"("quick/onnx-tile-13 f32[2,3,4] x i64{1,2,3}")"), std::string::npos);
  EXPECT_NE(text.find(R"("quick/onnx-tile-13 f32[5,1,12800] x i64{1,32,1}/cold")"), std::string::npos);
  EXPECT_NE(text.find(R"("limit:fill:2/onnx-tile-13 f32[5,1,12800] x i64{1,32,1}")"), std::string::npos);
}

TEST(RunAsJson, DebugBuildOfTheLibraryIsSaid) {
  EXPECT_EQ(Json::parse(to_json(synthetic_run()))["context"]["library_build_type"], "debug");
}

TEST(BadRunFile, IsToldInOneSentence) {
  EXPECT_EQ(run_from_json("{").error().what, "not JSON, or cut short");
  EXPECT_EQ(run_from_json("[1]").error().what,
            "not a benchmark's result: it has no context and no benchmarks");
  EXPECT_EQ(run_from_json(R"({"context":{},"benchmarks":[]})").error().what,
            "written by another program than certile-bench: it has no context.certile");
  EXPECT_EQ(read_json("/nowhere/run.json").error().what,
            "cannot read /nowhere/run.json: No such file or directory");
}

TEST(BadRunFile, WithoutItsRoundsIsMalformed) {
  Json whole = Json::parse(to_json(synthetic_run()));
  whole["benchmarks"].erase(whole["benchmarks"].begin());
  EXPECT_EQ(run_from_json(whole.dump()).error().what, "repetitions are missing or out of order");
  whole["benchmarks"].clear();
  EXPECT_EQ(run_from_json(whole.dump()).error().what, "the rounds of a series are missing");
}

TEST(BadRunFile, TimeOfZeroIsRefused) {
  Json whole = Json::parse(to_json(synthetic_run()));
  whole["benchmarks"][0]["real_time"] = 0.0;
  EXPECT_EQ(run_from_json(whole.dump()).error().what, "a time is not positive");
}

TEST(BadRunFile, OfANewerFormatSaysSo) {
  Json whole = Json::parse(to_json(synthetic_run()));
  whole["context"]["certile"]["format"] = bench_format + 1;
  EXPECT_EQ(run_from_json(whole.dump()).error().what,
            "written by a newer certile-bench, in a format that this one does not know");
}

TEST(RunFile, IsReadAsItWasWritten) {
  const auto path = std::filesystem::path(testing::TempDir()) / "certile_bench_report_json_test.json";
  ASSERT_TRUE(write_json(path.string(), synthetic_run()));
  const auto read = read_json(path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(to_json(*read), to_json(synthetic_run()));
}

}  // namespace
}  // namespace certile
