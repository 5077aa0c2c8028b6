#include "conformance/certificate/statement.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/certificate/certified_run_test.hpp"
#include "conformance/text/digest.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

nlohmann::json parsed(const Summary& summary) {
  return nlohmann::json::parse(statement_of(summary));
}

// Returns a resource in the statement's spelling, as in the list of the configuration.
std::string resource(const std::string& name, const std::string& digest) {
  return "      {\n        \"name\": \"" + name + "\",\n        \"digest\": {\n          \"sha256\": \"" +
         digest + "\"\n        }\n      }";
}

// Returns a summary with one waived case.
Summary small_summary() {
  RunHeader header = certified_header(2);
  header.waivers = {"mine.waivers", sha256_hex("waivers"), 1};
  Summary summary(header);
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-G2", "OV-T1-X6"}));
  Record record = example_failure("openvino-tile-1 f32[2] x i64{-1}", {"OV-T1-X5"});
  record.amendments.back().verdict = Verdict::waived;
  summary.add(record);
  return finished(std::move(summary));
}

TEST(Statement, IsExactlyThisText) {
  const Summary summary = small_summary();
  std::string files;
  for (const Page& page : all_pages())
    files += resource("reference/spec/" + page.name + ".md", sha256_hex(page.digest_source)) + ",\n";
  files += resource("conformance/plan/corpora/core.tile", std::string(64, 'd')) + ",\n" +
           resource("records", std::string(64, 'f')) + ",\n" +
           resource("environment.json", sha256_hex(environment_of(summary))) + ",\n";
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
    "result": "WARNED",
    "configuration": [
      {
        "name": "plan",
        "digest": {
          "sha256": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
        },
        "annotations": {
          "summary": "mine 1: openvino-tile-1: )" +
                             summary.verdict_line() + R"(; level full, tier core, 2 cases",
          "conformance": ")" +
                             summary.verdict_line() +
                             R"(",
          "level": "full",
          "tier": "core",
          "operators": [
            "openvino-tile-1"
          ],
          "seed": 1,
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
            "planned": 2,
            "recorded": 2,
            "pass": 1,
            "fail": 0,
            "unsupported": 0,
            "waived": 1,
            "stale-waiver": 0,
            "inconclusive": 0,
            "not-run": 0,
            "vacuous": 0
          },
          "clauses": "2 of 40 clauses proven",
          "isolation": [
            "own process",
            "address space limited to 4 GiB"
          ],
          "loaded": [
            {
              "name": "certile-host",
              "digest": {
                "sha256": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
              }
            }
          ]
        }
      },
      {
        "name": "certile",
        "uri": "pkg:generic/certile@0.1.0",
        "annotations": {
          "version": "0.1.0",
          "commit": "cccccccccccccccccccccccccccccccccccccccc",
          "dirty": false
        }
      },
)";
  const std::string after = R"(      {
        "name": "waivers",
        "digest": {
          "sha256": ")" + sha256_hex("waivers") +
                            R"("
        },
        "annotations": {
          "count": 1
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
    "failedTests": []
  }
}
)";
  EXPECT_EQ(statement_of(summary), before + files + after);
  EXPECT_EQ(no_certificate_because(summary), std::nullopt);
}

TEST(Statement, PassesWhatConforms) {
  const Summary summary = certified_run();
  EXPECT_EQ(no_certificate_because(summary), std::nullopt);
  EXPECT_EQ(parsed(summary)["predicate"]["result"], "PASSED");
  EXPECT_EQ(certificate_line(summary),
            "mine 1: openvino-tile-1: " + summary.verdict_line() + "; level full, tier core, 1 case");
  EXPECT_EQ(*line_of_statement(statement_of(summary)), certificate_line(summary));
  const Summary unlimited = certified_run([](RunHeader& header) {
    header.claim.types = header.claim.repeats_types = TypeSet::all();
    header.claim.max_rank.reset();
  });
  EXPECT_TRUE(certificate_line(unlimited).ends_with("1 case; the claim has no limits"));
  EXPECT_EQ(name_of_subject(statement_of(summary), std::string(64, 'a')), "mine");
  EXPECT_EQ(name_of_subject(statement_of(summary), std::string(64, '0')), std::nullopt);
}

// Clauses that the level omits do not fail the statement, but a statement that names a failure does not pass.
TEST(Statement, WarnsOfClausesOfOursAtTheLevelText) {
  RunHeader header = certified_header(2);
  header.level = Level::text;
  Summary violated(header);
  violated.add(whole_pass(violated, "openvino-tile-1 f32[2] x i64{2}"));
  violated.add(example_failure("openvino-tile-1 f32[2] x i64{0}", {"OV-T1-X4"}));
  const Summary summary = finished(std::move(violated));
  EXPECT_EQ(no_certificate_because(summary), std::nullopt);
  const auto predicate = parsed(summary)["predicate"];
  EXPECT_EQ(predicate["result"], "WARNED");
  EXPECT_EQ(predicate["warnedTests"], nlohmann::json::parse(R"(["OV-T1-X4"])"));
  EXPECT_TRUE(predicate["failedTests"].empty());
}

TEST(Statement, SaysThatTheCommitIsUnknown) {
  const Summary summary = certified_run([](RunHeader& header) { header.certile_commit.clear(); });
  const auto certile = parsed(summary)["predicate"]["configuration"][1]["annotations"];
  EXPECT_EQ(certile["commit"], "unknown");
  EXPECT_EQ(certile["dirty"], "unknown");
}

// A library that was loaded was not judged, and may be in the same system for years.
TEST(Statement, IsAboutWhatWasJudgedAndNamesWhatWasLoadedWithIt) {
  const auto json = parsed(certified_run());
  ASSERT_EQ(json["subject"].size(), 1U);
  EXPECT_EQ(json["subject"][0]["name"], "mine");
  EXPECT_EQ(json["predicate"]["configuration"][0]["annotations"]["loaded"],
            nlohmann::json::parse(R"([{"name": "certile-host", "digest": {"sha256": ")" +
                                  std::string(64, 'e') + R"("}}])"));
  EXPECT_EQ(name_of_subject(statement_of(certified_run()), std::string(64, 'e')), std::nullopt);
}

TEST(Statement, SaysWhatAWorkerIsMadeOf) {
  const Summary summary = certified_run([](RunHeader& header) {
    header.parts = {{"./mine.py", "", std::string(64, 'c')}, {"numpy", "1.26.4", std::string(64, 'd')}};
  });
  const auto json = parsed(summary);
  const auto& parts = json["predicate"]["configuration"][0]["annotations"]["parts"];
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0],
            nlohmann::json({{"name", "./mine.py"}, {"digest", {{"sha256", std::string(64, 'c')}}}}));
  EXPECT_EQ(parts[1]["annotations"]["version"], "1.26.4");
}

// Returns why a run with another header gives no certificate.
std::string refusal(void (*alter)(RunHeader&)) {
  return no_certificate_because(certified_run(alter)).value_or("it gives one");
}

TEST(NoCertificate, IsGivenForAPartOfAPlan) {
  EXPECT_EQ(refusal([](RunHeader& header) { header.filtered = true; }), "the plan was filtered");
  EXPECT_EQ(refusal([](RunHeader& header) { header.options.random_cases = 0; }),
            "--random changed the number of random cases of the tier");
  EXPECT_EQ(refusal([](RunHeader& header) { header.planned = 3; }), "2 planned cases were not run");
  EXPECT_EQ(refusal([](RunHeader& header) { header.options.tier = Tier::smoke; }),
            "the tier smoke is below core");
  EXPECT_EQ(refusal([](RunHeader& header) { header.options.tier = Tier::full; }), "it gives one");
}

TEST(NoCertificate, IsGivenForARunThatDidNotEndOrSkippedACase) {
  Summary ended = certified_run();
  ended.mark_incomplete("it was interrupted");
  EXPECT_EQ(no_certificate_because(ended), "the run is incomplete: it was interrupted");
  Summary skipped(certified_header(2));
  skipped.add(whole_pass(skipped, "openvino-tile-1 f32[2] x i64{2}"));
  Record record = example_pass("openvino-tile-1 f32[2] x i64{3}", {});
  record.judged.verdict = Verdict::not_run;
  skipped.add(record);
  EXPECT_EQ(no_certificate_because(finished(std::move(skipped))), "1 planned case was not run");
}

TEST(NoCertificate, IsGivenWithAWaiverThatIsStale) {
  Summary summary = certified_run();
  summary.add_stale_waiver("has expired: OV-T1-X4 f32 elements");
  EXPECT_EQ(no_certificate_because(summary), "a waiver is stale: has expired: OV-T1-X4 f32 elements");
}

TEST(NoCertificate, IsGivenForWhatDoesNotConform) {
  const Summary failing = finished(failing_summary());
  EXPECT_EQ(no_certificate_because(failing), "it is " + failing.verdict_line());
}

TEST(NoCertificate, IsGivenIfItIsNotKnownWhatWasJudged) {
  EXPECT_EQ(refusal([](RunHeader& header) { header.backend_digest.clear(); }),
            "there is no file to take the SHA-256 of");
  Summary summary = certified_run();
  summary.set_loaded({});
  EXPECT_EQ(no_certificate_because(summary), "the records do not say which files were loaded");
  summary.set_loaded({{"gone.so", "", ""}});
  EXPECT_EQ(no_certificate_because(summary), "it loaded gone.so, which was removed before it could be read");
  summary.set_loaded({{"[executable memory]", "", ""}});
  EXPECT_EQ(no_certificate_because(summary),
            "it has executable memory that belongs to no file, so it is not known what it ran");
  EXPECT_EQ(refusal([](RunHeader& header) { header.spelling = "worker:cd d && python3 mine.py"; }),
            "the shell decides what the worker's command runs: it has the character &");
}

TEST(RunFiles, NameTheBackendInAScriptAsOneWord) {
  const std::string script = repro_of(certified_run([](RunHeader& header) {
    header.spelling = "./it's\nmine.so";
    header.claim.name = "mi\nne";
    header.waivers = {"mine.waivers", std::string(64, 'c'), 1};
  }));
  EXPECT_EQ(script.substr(script.find("# Asks")),
            "# Asks a backend the same plan again: sh repro.sh [BACKEND]; without BACKEND, the one that was "
            "certified.\nset -eu\ncertified='./it'\\''s\nmine.so'\nexec certile certify \"${1:-$certified}\" "
            "--tier core "
            "--level full --seed 1 --definition openvino-tile-1 --waivers \"$(dirname \"$0\")/waivers\"\n");
  EXPECT_EQ(script.substr(0, script.find("# Asks")).find("mi\nne"), std::string::npos);
}

}  // namespace
}  // namespace certile::conformance
