// Tests that `certile claim` proposes what passes and no more, whatever the backend claims itself.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

const std::string limited = test_plugin("limited");

// Returns the claim that is proposed for the plugin with this limit, whatever it claims.
ProgramRun proposed(const std::string& limit, const std::vector<std::string>& own = {},
                    const std::vector<std::string>& form = {"--json"}) {
  std::vector<std::string> arguments{"claim",    limited, "--tier", "smoke",
                                     "--budget", "1000",  "--env",  "LIMIT=" + limit};
  arguments.insert(arguments.end(), form.begin(), form.end());
  for (const std::string& variable : own) {
    arguments.emplace_back("--env");
    arguments.push_back(variable);
  }
  return run_program(arguments);
}

// Certifies the plugin with the limit and that claim, but of few elements, so that the cases are short; keeps
// the records at `path`.
ProgramRun certified_with(const std::string& claim, const std::string& limit, const std::string& path) {
  const auto words = nlohmann::json::parse(claim);
  const auto set = [&](const std::string& name, const char* key) {
    return name + "=" + words.at(key).get<std::string>();
  };
  return run_program({"certify",   limited,
                      "--tier",    "smoke",
                      "--budget",  "1000",
                      "--records", path,
                      "--env",     "LIMIT=" + limit,
                      "--env",     set("OPERATORS", "operators"),
                      "--env",     set("TYPES", "types"),
                      "--env",     set("REPEATS_TYPES", "repeats_types"),
                      "--env",     set("MAX_RANK", "max_rank"),
                      "--env",     "MAX_ELEMENTS=1000"});
}

TEST(ClaimCommand, FindsTheTypeAndTheRankOfALibraryThatClaimsMore) {
  const ProgramRun run = proposed("f32-rank-4");
  EXPECT_EQ(run.exit_code, 0) << run.error;
  const auto words = nlohmann::json::parse(run.out);
  EXPECT_EQ(words.at("operators"), "onnx-tile-13");
  EXPECT_EQ(words.at("types"), "f32");
  EXPECT_EQ(words.at("repeats_types"), "i64");
  EXPECT_EQ(words.at("max_rank"), "4");
  EXPECT_EQ(words.at("max_elements"), "0")
      << "what was asked ended there, and no limit of the library was found";
  EXPECT_NE(run.error.find("own claim is wider than what passes: rank ≤ 4 does"), std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("own claim is wider than what passes: types boolean i8"), std::string::npos)
      << run.error;
  const std::string records = temporary_path(".jsonl");
  const ProgramRun certified = certified_with(run.out, "f32-rank-4", records);
  EXPECT_EQ(certified.exit_code, 0) << certified.out;
}

TEST(ClaimCommand, FindsWhatALibraryDoesBeyondItsClaim) {
  const ProgramRun run = proposed("f32-rank-4", {"MAX_RANK=2", "TYPES=f32"}, {});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_EQ(run.out,
            ".operators = \"onnx-tile-13\",\n.types = \"f32\",\n.repeats_types = \"i64\",\n.max_rank = 4,\n"
            ".max_elements = 0,\n.max_bytes = 0,\n");
  EXPECT_NE(run.error.find("own claim is narrower than what works: rank ≤ 4 passes"), std::string::npos)
      << run.error;
}

TEST(ClaimCommand, LeavesAWrongTypeOutAndSaysThatItMustBeRefused) {
  const ProgramRun run = proposed("wrong-f64");
  EXPECT_EQ(run.exit_code, 1) << run.error;
  const auto words = nlohmann::json::parse(run.out);
  EXPECT_EQ(words.at("types"), "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 c64 c128 string");
  EXPECT_NE(run.error.find("beyond this claim are answered wrongly"), std::string::npos) << run.error;
  const std::string path = temporary_path(".jsonl");
  certified_with(run.out, "wrong-f64", path);
  std::istringstream lines(file_content(path));
  int failures = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record.value("verdict", "") != "fail") continue;
    ++failures;
    EXPECT_EQ(record.at("type"), "f64") << line;
  }
  EXPECT_GT(failures, 0);
}

TEST(ClaimCommand, SaysWhatNoClaimLeavesOut) {
  const ProgramRun run = proposed("no-zero-repeats", {}, {"--python"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_EQ(run.out,
            "operators=[\"onnx-tile-13\"],\ntypes=[\"boolean\", \"i8\", \"i16\", \"i32\", \"i64\", \"u8\", "
            "\"u16\", "
            "\"u32\", \"u64\", \"f16\", \"bf16\", \"f32\", \"f64\", \"c64\", \"c128\", \"string\"],\n"
            "repeats_types=[\"i64\"],\nmax_rank=64,\nmax_elements=0,\nmax_bytes=0,\n");
  EXPECT_NE(run.error.find("of this claim fail, and no narrower claim leaves them out"), std::string::npos)
      << run.error;
}

TEST(ClaimCommand, ProposesForAWorkerWhatItClaims) {
  const ProgramRun run = run_program({"claim", "worker:'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/example.py'",
                                      "--json", "--tier", "smoke", "--budget", "1000"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  const auto words = nlohmann::json::parse(run.out);
  EXPECT_EQ(words.at("name"), "example");
  EXPECT_EQ(words.at("operators"), "openvino-tile-1 onnx-tile-13");
  EXPECT_EQ(words.at("types"), "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128");
}

TEST(ClaimCommand, ProposesEverythingForABackendThatDoesEverything) {
  const ProgramRun run = run_program({"claim", "scalar", "--json", "--tier", "smoke", "--budget", "1000"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  const auto words = nlohmann::json::parse(run.out);
  EXPECT_EQ(words.at("operators"), "openvino-tile-1 onnx-tile-13 onnx-tile-6 onnx-tile-1 array-api-tile");
  EXPECT_EQ(words.at("max_rank"), "0");
  EXPECT_NE(
      run.error.find(
          "No limit was found, and nothing beyond rank ≤ 64 was asked; claim a limit if your code has one."),
      std::string::npos)
      << run.error;
  EXPECT_EQ(run.error.find("wider than what passes"), std::string::npos) << run.error;
}

}  // namespace
}  // namespace certile::conformance
