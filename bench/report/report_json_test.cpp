#include "bench/report/report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/report/synthetic_run_test.hpp"
#include "bench/run/suite.hpp"

namespace certile::bench {
namespace {

using Json = nlohmann::json;

// Returns the times of a series from its entries in `benchmarks`.
std::vector<double> times_of(const Json& whole, const Json& series) {
  std::vector<double> times;
  for (const Json& entry : whole["benchmarks"]) {
    if (entry["family_index"] == series["family"] && entry["run_type"] == "iteration")
      times.push_back(entry["real_time"].get<double>());
  }
  return times;
}

TEST(RunAsJson, HasEveryRoundUnderTheFamilyOfItsSeries) {
  BenchRun run = synthetic_run();
  run.cases.push_back(run.cases[0]);  // a duplicate case
  run.cases.back().subjects[0].hot = rounds_around(77);
  const Json whole = Json::parse(to_json(run));
  const Json& cases = whole["context"]["certile"]["cases"];
  ASSERT_EQ(cases.size(), run.cases.size());
  for (std::size_t which = 0; which < run.cases.size(); ++which) {
    const TimedCase& timed = run.cases[which];
    for (std::size_t index = 0; index < timed.subjects.size(); ++index) {
      const Json& subject = cases[which]["subjects"][index];
      for (const Temperature temperature : {Temperature::hot, Temperature::cold}) {
        const Rounds* rounds = rounds_of(timed.subjects[index], temperature);
        const std::string word(name(temperature));
        ASSERT_EQ(subject.contains(word), rounds != nullptr);
        if (rounds != nullptr) {
          EXPECT_EQ(times_of(whole, subject[word]), rounds->nanoseconds);
        }
      }
    }
    for (std::size_t index = 0; index < timed.limits.size(); ++index)
      EXPECT_EQ(times_of(whole, cases[which]["limits"][index]["hot"]), timed.limits[index].hot->nanoseconds);
  }
}

TEST(RunAsJson, HasTheFactsThatGoogleHasNoPlaceFor) {
  BenchRun run = synthetic_run();
  run.seed = 0xffff'ffff'ffff'ffff;
  run.cases[1].subjects[0].allocates = true;
  const Json facts = Json::parse(to_json(run))["context"]["certile"];
  EXPECT_EQ(facts["format"], bench_format);
  EXPECT_EQ(facts["seed"], run.seed);
  EXPECT_EQ(facts["baseline"], "plain");
  EXPECT_EQ(facts["rules"].get<std::vector<std::string>>(), rules_text(run));
  EXPECT_EQ(facts["machine"]["commit"], "0123abc");
  EXPECT_EQ(facts["cases"][1]["output_bytes"], 8 * 1048576);
  EXPECT_EQ(facts["cases"][1]["subjects"][0]["allocates"], true);
  EXPECT_EQ(facts["cases"][0]["subjects"][2]["verdict"], "fail");
  EXPECT_EQ(facts["cases"][1]["limits"][3]["threads"], 2);
}

// Tests the fields that compare.py reads.
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

TEST(RunFile, HoldsWhatWasWritten) {
  const auto path =
      std::filesystem::path(testing::TempDir()) / ("certile_bench_" + std::to_string(getpid()) + ".json");
  ASSERT_TRUE(write_json(path.string(), synthetic_run()));
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(path);
  EXPECT_EQ(text, to_json(synthetic_run()));
}

}  // namespace
}  // namespace certile::bench
