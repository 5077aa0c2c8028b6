#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/text/digest.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

std::string statement(const std::vector<const Summary*>& summaries) {
  const std::string path = temporary_path(".json");
  const Result<Done> done = write_statement(path, summaries);
  EXPECT_TRUE(done);
  return file_content(path);
}

nlohmann::json parsed(const std::vector<const Summary*>& summaries) {
  return nlohmann::json::parse(statement(summaries));
}

// Returns a resource in the statement's spelling, as in the list of the configuration.
std::string resource(const std::string& name, const std::string& bytes) {
  return "      {\n        \"name\": \"" + name + "\",\n        \"digest\": {\n          \"sha256\": \"" +
         sha256_hex(bytes) + "\"\n        }\n      },\n";
}

// Returns a summary with a small claim, which keeps the text below short, and one waived case.
Summary small_summary() {
  RunHeader header = example_header(3);
  header.claim.types = {ElementType::f32};
  header.claim.repeats_types = {ElementType::i64};
  header.claim.max_rank = 4;
  header.corpora = {{"./mine.tile", sha256_hex("a corpus")}};
  Summary summary(header);
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-G2", "OV-T1-X6"}));
  Record record = example_failure("openvino-tile-1 f32[2] x i64{0}", {"OV-T1-X4"});
  summary.add(record);
  record = example_failure("openvino-tile-1 f32[2] x i64{-1}", {"OV-T1-X5"});
  record.amendments.back().verdict = Verdict::waived;
  summary.add(record);
  return summary;
}

TEST(Statement, IsExactlyThisText) {
  const Summary summary = small_summary();
  std::string files;
  for (const Page& page : all_pages())
    files += resource("reference/spec/" + page.name + ".md", page.digest_source);
  files += resource("./mine.tile", "a corpus");
  const std::string before = R"({
  "_type": "https://in-toto.io/Statement/v1",
  "subject": [
    {
      "name": "mine",
      "digest": {
        "sha256": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      }
    }
  ],
  "predicateType": "https://in-toto.io/attestation/test-result/v0.1",
  "predicate": {
    "result": "FAILED",
    "configuration": [
      {
        "name": "certile",
        "uri": "pkg:generic/certile@0.1.0",
        "annotations": {
          "version": "0.1.0"
        }
      },
)";
  const std::string after = R"(      {
        "name": "plan of mine",
        "digest": {
          "sha256": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
        },
        "annotations": {
          "conformance": ")" +
                            summary.verdict_line() + R"(",
          "level": "full",
          "tier": "core",
          "operators": [
            "openvino-tile-1"
          ],
          "seed": 1,
          "filtered": false,
          "claim": {
            "name": "mine",
            "version": "1",
            "operators": [
              "openvino-tile-1"
            ],
            "types": [
              "f32"
            ],
            "repeatsTypes": [
              "i64"
            ],
            "limits": "rank ≤ 4"
          },
          "counts": {
            "planned": 3,
            "recorded": 3,
            "pass": 1,
            "fail": 1,
            "unsupported": 0,
            "waived": 1,
            "stale-waiver": 0,
            "inconclusive": 0,
            "not-run": 0,
            "vacuous": 0
          },
          "clauses": "2 of 38 clauses proven"
        }
      }
    ],
    "passedTests": [
      "OV-T1-G2",
      "OV-T1-X6"
    ],
    "warnedTests": [
      "OV-T1-X5"
    ],
    "failedTests": [
      "OV-T1-X4"
    ]
  }
}
)";
  EXPECT_EQ(statement({&summary}), before + files + after);
}

TEST(Statement, IsTheSameEveryTime) {
  const Summary summary = failing_summary();
  EXPECT_EQ(statement({&summary}), statement({&summary}));
}

TEST(Statement, PassesWhatConforms) {
  const Summary summary = conformant_summary();
  EXPECT_EQ(parsed({&summary})["predicate"]["result"], "PASSED");
}

TEST(Statement, WarnsOfWaivers) {
  RunHeader header = example_header(2);
  Summary summary(header);
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"}));
  Record record = example_failure("openvino-tile-1 f32[2] x i64{0}", {"OV-T1-X4"});
  record.amendments.back().verdict = Verdict::waived;
  summary.add(record);
  EXPECT_EQ(parsed({&summary})["predicate"]["result"], "WARNED");
}

// Clauses that the level omits do not fail the statement, but a statement that names a failure does not pass.
TEST(Statement, WarnsOfClausesOfOursAtTheLevelText) {
  RunHeader header = example_header(2);
  header.level = Level::text;
  Summary summary(header);
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[2] x i64{0}", {"OV-T1-X4"}));
  ASSERT_EQ(summary.exit_code(), 0);
  const auto predicate = parsed({&summary})["predicate"];
  EXPECT_EQ(predicate["result"], "WARNED");
  EXPECT_EQ(predicate["warnedTests"], nlohmann::json::parse(R"(["OV-T1-X4"])"));
  EXPECT_TRUE(predicate["failedTests"].empty());
}

TEST(Statement, NeverPassesWhereItListsAFailure) {
  RunHeader header = example_header(2);
  header.level = Level::text;
  Summary summary(header);
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[2] x i64{3}", {"OV-T1-O1"}));
  const auto predicate = parsed({&summary})["predicate"];
  EXPECT_EQ(predicate["result"], "FAILED");
  EXPECT_EQ(predicate["failedTests"], nlohmann::json::parse(R"(["OV-T1-O1"])"));
}

TEST(Statement, NeverPassesAFilteredRun) {
  RunHeader header = example_header(1);
  header.filtered = true;
  Summary summary(header);
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"}));
  EXPECT_EQ(parsed({&summary})["predicate"]["result"], "FAILED");
}

TEST(Statement, TellsTheClausesOfSeveralBackendsApart) {
  const Summary good = conformant_summary(), bad = failing_summary();
  const nlohmann::json json = parsed({&good, &bad});
  EXPECT_EQ(json["subject"][1]["name"], "mine (2)");
  EXPECT_EQ(json["predicate"]["passedTests"][0], "mine/OV-T1-G2");
  EXPECT_EQ(json["predicate"]["failedTests"][0], "mine (2)/OV-T1-X4");
}

TEST(Statement, NeedsAFileToSpeakAbout) {
  RunHeader header = example_header(1);
  header.backend_digest.clear();
  const Summary summary(header);
  const Result<Done> done = write_statement(temporary_path(".json"), {&summary});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what,
            "no statement can be made about mine: there is no file to take the SHA-256 of");
}

TEST(Statement, SaysWhatAWorkerIsMadeOf) {
  RunHeader header = example_header(1);
  header.parts = {{"./mine.py", "", std::string(64, 'c')}, {"numpy", "1.26.4", std::string(64, 'd')}};
  const Summary summary(header);
  const auto json = parsed({&summary});
  const auto& parts = json["predicate"]["configuration"].back()["annotations"]["parts"];
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0],
            nlohmann::json({{"name", "./mine.py"}, {"digest", {{"sha256", std::string(64, 'c')}}}}));
  EXPECT_EQ(parts[1]["annotations"]["version"], "1.26.4");
}

}  // namespace
}  // namespace certile::conformance
