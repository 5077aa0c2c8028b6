// Runs the shards of a plan as processes, and merges their records.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/testing/quick_runs_test.hpp"

namespace certile::conformance {
namespace {

// The records of the shards of one run, in files that are removed with the test.
class Shards {
 public:
  Shards(const Words& run, int of) : run_(run), of_(of), path_(temporary_path("")) {
    for (int index = 1; index <= of; ++index)
      codes_.push_back(certify(index, run_));
  }
  ~Shards() {
    for (const std::string& path : paths())
      std::filesystem::remove(path);
  }

  // Runs one shard, perhaps with other options.
  int certify(int index, const Words& run) const {
    const ProgramRun done = run_program(
        with_words(with_words({"certify"}, run),
                   {"--jobs", "1", "--quiet", "--shard", std::to_string(index) + "/" + std::to_string(of_),
                    "--records", path(index)}));
    return done.exit_code;
  }
  ProgramRun merge(const Words& more = {}) const {
    return run_program(with_words(with_words(with_words({"merge"}, paths()), {"--records", merged()}), more));
  }
  std::string path(int index) const { return path_ + "." + std::to_string(index) + ".jsonl"; }
  std::string merged() const { return path_ + ".merged.jsonl"; }
  Words paths() const {
    Words all;
    for (int index = 1; index <= of_; ++index)
      all.push_back(path(index));
    return all;
  }
  const std::vector<int>& codes() const { return codes_; }

 private:
  Words run_;
  int of_;
  std::string path_;
  std::vector<int> codes_;
};

std::string records_of_one_run(const Words& run, int exit_code) {
  const std::string path = temporary_path("one.jsonl");
  const ProgramRun done = run_program(with_words(
      with_words({"certify"}, run), {"--jobs", "1", "--records", path, "--markdown", path + ".md"}));
  EXPECT_EQ(done.exit_code, exit_code) << done.error;
  return file_content(path);
}

void expect_a_merge_to_verify(const Shards& several, int exit_code) {
  const ProgramRun merged = several.merge({"--markdown", several.merged() + ".md"});
  EXPECT_EQ(merged.exit_code, exit_code) << merged.error;
  const ProgramRun verified = run_program({"verify", several.merged()});
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  EXPECT_NE(verified.out.find("\nVERIFIED\n"), std::string::npos) << verified.out;
}

TEST(Shards, OfAPassingRunMergeToTheRecordsOfOneRun) {
  const Words run = with_words(quick_run, {"--random", "50"});
  const std::string one = records_of_one_run(run, 0);
  for (const int of : {1, 2, 7, 16}) {
    const Shards several(run, of);
    expect_a_merge_to_verify(several, 0);
    EXPECT_TRUE(file_content(several.merged()) == one) << of << " shards: " << several.merged();
    EXPECT_TRUE(file_content(several.merged() + ".md") == file_content(temporary_path("one.jsonl.md"))) << of;
  }
}

// Expects every verdict, and the verdict on every clause, of one run.
void expect_the_verdicts_of_one_run(const Words& run, int of) {
  records_of_one_run(run, 1);
  const Shards several(run, of);
  expect_a_merge_to_verify(several, 1);
  const ProgramRun diff = run_program({"diff", temporary_path("one.jsonl"), several.merged()});
  EXPECT_TRUE(diff.out.ends_with("\nTHE SAME\n")) << of << " shards: " << diff.out;
}

TEST(Shards, OfAFailingRunMergeToTheVerdictsOfOneRun) {
  expect_the_verdicts_of_one_run(quick_failing_run, 2);
  expect_the_verdicts_of_one_run(quick_failing_run, 7);
}

TEST(Shards, OfAWaivedRunMergeToTheVerdictsOfOneRun) {
  const std::string waivers = temporary_path(".waivers");
  std::ofstream(waivers) << "CT-BITS f64 elements \"known\" owner: me link: none until: 9999-12-31\n"
                            "CT-BITS f64 refused \"never\" owner: me link: none until: 9999-12-31\n"
                            "ONNX-T13-S2 f64 elements \"past\" owner: me link: none until: 2020-01-01\n"
                            "'onnx-tile-13 u8[4321] x i64{2}' shape \"mended\" owner: me link: none until: "
                            "9999-12-31\n";
  expect_the_verdicts_of_one_run(with_words(quick_failing_run, {"--waivers", waivers}), 3);
}

TEST(Shards, SayWhatTheyAreAndNeverThatABackendConforms) {
  const Shards shards(quick_run, 2);
  EXPECT_EQ(shards.codes(), (std::vector<int>{0, 0}));
  const ProgramRun reported = run_program({"report", shards.path(2), "--quiet"});
  EXPECT_EQ(reported.exit_code, 0);
  EXPECT_NE(reported.out.find("shard 2 of 2: no failure ("), std::string::npos) << reported.out;
  EXPECT_EQ(reported.out.find("CONFORMANT"), std::string::npos) << reported.out;
  const ProgramRun verified = run_program({"verify", shards.path(2)});
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  EXPECT_NE(verified.out.find("\nVERIFIED, of shard 2 of 2 alone: no certificate"), std::string::npos)
      << verified.out;
}

TEST(Shards, OfAWrongBackendFailWhereItIsWrong) {
  const Shards shards(quick_failing_run, 2);
  EXPECT_EQ(shards.codes(), (std::vector<int>{1, 1}));
  const ProgramRun reported = run_program({"report", shards.path(1), "--quiet"});
  EXPECT_NE(reported.out.find("shard 1 of 2: "), std::string::npos) << reported.out;
  EXPECT_NE(reported.out.find(" failures ("), std::string::npos) << reported.out;
  EXPECT_NE(reported.out.find("; violated: CT-BITS"), std::string::npos) << reported.out;
}

// Expects that merging is refused with this sentence, and writes nothing.
void expect_refusal(const Shards& shards, const std::string& sentence, const Words& more = {}) {
  const ProgramRun merged = shards.merge(more);
  EXPECT_EQ(merged.exit_code, 2) << sentence;
  EXPECT_EQ(merged.out, "");
  EXPECT_NE(merged.error.find(sentence), std::string::npos) << merged.error << "\nnot: " << sentence;
  EXPECT_FALSE(std::filesystem::exists(shards.merged()));
}

void change(const std::string& path, const std::function<void(std::string&)>& change_text) {
  std::string text = file_content(path);
  change_text(text);
  std::ofstream(path, std::ios::binary) << text;
}

const Words three_cases{"scalar",
                        "--case",
                        "onnx-tile-13 u8[3] x i64{2}",
                        "--case",
                        "onnx-tile-13 u8[4] x i64{2}",
                        "--case",
                        "onnx-tile-13 u8[5] x i64{2}"};

TEST(MergeOfShards, IsRefusedWithAGap) {
  const Shards shards(three_cases, 3);
  const ProgramRun merged =
      run_program({"merge", shards.path(1), shards.path(3), "--records", shards.merged()});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_EQ(merged.error, "certile: no file has shard 2 of 3\n");
}

TEST(MergeOfShards, IsRefusedIfTwoFilesAreOneShard) {
  const Shards shards(three_cases, 3);
  std::filesystem::copy_file(shards.path(1), shards.path(3),
                             std::filesystem::copy_options::overwrite_existing);
  expect_refusal(shards, shards.path(1) + " and " + shards.path(3) + " both are shard 1 of 3");
}

TEST(MergeOfShards, IsRefusedIfOneIsOfAnotherRun) {
  const std::vector<std::pair<Words, const char*>> others{
      {with_words(three_cases, {"--seed", "2"}), "its seed is 2, and not 1"},
      {with_words(three_cases, {"--level", "text"}), "its level is \"text\", and not \"full\""},
      {{three_cases.begin(), three_cases.begin() + 5}, "is of another run than "},
      {with_words({"simd"}, {three_cases.begin() + 1, three_cases.end()}), "its claim is another"},
  };
  const Shards shards(three_cases, 3);
  for (const auto& [run, sentence] : others) {
    shards.certify(3, run);
    expect_refusal(shards, sentence);
  }
}

TEST(MergeOfShards, IsRefusedIfOneIsOfAnotherBinaryOrVersion) {
  const auto replaced = [](const std::string& from, const std::string& to) {
    return [from, to](std::string& text) { text.replace(text.find(from), from.size(), to); };
  };
  const Shards shards(three_cases, 3);
  const std::string text = file_content(shards.path(2));
  const std::size_t at = text.find("\"backend_sha256\":\"");
  change(shards.path(2), replaced(text.substr(at, 28), "\"backend_sha256\":\"0123456789"));
  expect_refusal(shards,
                 shards.path(2) + " is of another run than " + shards.path(1) + ": its binary's SHA-256 is");
  std::ofstream(shards.path(2), std::ios::binary) << text;
  for (int index = 1; index <= 3; ++index)
    change(shards.path(index), replaced("\"certile\":\"0.", "\"certile\":\"9."));
  expect_refusal(shards, shards.path(1) + " was written by certile 9.");
}

TEST(MergeOfShards, IsRefusedIfAFileIsNotWhole) {
  const Shards shards(three_cases, 1);
  const std::string text = file_content(shards.path(1));
  const std::vector<std::pair<std::string, const char*>> broken{
      {"", " is empty"},
      {text.substr(0, text.find("{\"footer")), "without a footer: this run was cut short"},
      {text.substr(0, 100), ":1: the line has no newline: the file was cut short"},
      {"hello\n", " does not begin with the header of a run"},
      {text + text, " has a case twice"},
  };
  for (const auto& [content, sentence] : broken) {
    std::ofstream(shards.path(1), std::ios::binary) << content;
    const ProgramRun merged = shards.merge();
    EXPECT_EQ(merged.exit_code, 2);
    EXPECT_NE(merged.error.find(shards.path(1)), std::string::npos) << merged.error;
    EXPECT_NE(merged.error.find(sentence), std::string::npos) << merged.error;
  }
}

TEST(MergeOfShards, IsRefusedIfALineWasChanged) {
  const Shards shards(three_cases, 1);
  change(shards.path(1), [](std::string& text) {
    const std::size_t at = text.find("\"verdict\":\"pass\"");
    text.replace(at, 16, "\"verdict\":\"fail\"");
  });
  expect_refusal(shards, "the footer's counts are wrong");
}

TEST(MergeOfShards, IsRefusedIfARunIsWholeAlready) {
  const Shards shards(three_cases, 1);
  run_program(with_words(with_words({"certify"}, three_cases), {"--records", shards.path(1)}));
  expect_refusal(shards, shards.path(1) + " has the records of a whole run, not of a shard");
}

TEST(MergeOfShards, IsRefusedBelowAFloor) {
  const Shards shards(three_cases, 2);
  expect_refusal(shards, "has 3 cases, and fewer than 4 are no run to be merged", {"--at-least", "4"});
  EXPECT_EQ(shards.merge({"--at-least", "3"}).exit_code, 0);
}

TEST(MergeOfShards, TellsTheHostsAndKeepsThemApart) {
  const Shards shards(three_cases, 2);
  change(shards.path(2), [](std::string& text) {
    const std::size_t at = text.find("\"host\":\"") + 8;
    text.replace(at, text.find('"', at) - at, "else \\u001b[31mwhere");
  });
  // The digest covers the header, so a host cannot be changed afterwards.
  expect_refusal(shards, "the footer's SHA-256 is not that of the lines");
  shards.certify(2, three_cases);
  const std::string hosts = temporary_path(".hosts");
  const ProgramRun merged = shards.merge({"--hosts", hosts});
  EXPECT_EQ(merged.exit_code, 0) << merged.error;
  EXPECT_NE(merged.error.find("2 shards, of 3 cases: 2 of host "), std::string::npos) << merged.error;
  EXPECT_NE(file_content(hosts).find("{\"shard\":2,\"of\":2,\"host\":\""), std::string::npos)
      << file_content(hosts);
  EXPECT_EQ(file_content(shards.merged()).find("\"host\""), std::string::npos);
}

TEST(ShardOption, IsRefusedIfItIsNoneOrForSeveralBackends) {
  const std::vector<std::pair<Words, const char*>> all{
      {{"--shard", "0/2"}, "'0/2' is no shard"},
      {{"--shard", "2"}, "'2' is no shard"},
      {{"--shard", "1/2", "simd"}, "--shard takes one BACKEND"},
      {{"--resume", "x.jsonl", "--records", "y.jsonl"}, "--resume completes the records that it names"},
      {{"--resume", "-"}, "--resume needs a file"},
      {{"--resume", "x.jsonl", "--fail-fast"}, "--fail-fast stops at them"},
  };
  for (const auto& [words, sentence] : all) {
    const ProgramRun run = run_program(with_words({"certify", "scalar"}, words));
    EXPECT_EQ(run.exit_code, 2) << sentence;
    EXPECT_NE(run.error.find(sentence), std::string::npos) << run.error;
  }
}

TEST(ShardOption, TakesTheShardOfTheEnvironmentAndTouchesItsFile) {
  const std::string status = temporary_path(".status"), records = temporary_path(".jsonl");
  const std::vector<std::pair<const char*, std::string>> variables{
      {"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "3"}, {"TEST_SHARD_STATUS_FILE", status}};
  for (const auto& [name, value] : variables)
    setenv(name, value.c_str(), 1);
  const ProgramRun run = run_program({"certify", "scalar", "--case", "onnx-tile-13 u8[3] x i64{2}", "--shard",
                                      "auto", "--records", records});
  for (const auto& [name, value] : variables)
    unsetenv(name);
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NE(run.error.find("this is shard 2 of 3 to Bazel, by TEST_SHARD_INDEX and TEST_TOTAL_SHARDS"),
            std::string::npos)
      << run.error;
  EXPECT_TRUE(std::filesystem::exists(status));
  EXPECT_NE(file_content(records).find("\"shard\":{\"index\":2,\"of\":3,"), std::string::npos);
}

}  // namespace
}  // namespace certile::conformance
