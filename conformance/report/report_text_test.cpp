#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

std::string report(const Summary& summary,
                   const TextOptions& options = {.detail = Detail::whole, .seconds = 1.94}) {
  std::ostringstream out;
  write_text_report(out, summary, options);
  return out.str();
}

// Returns the text after the last empty line.
std::string last_lines(const std::string& text) {
  return text.substr(text.rfind("\n\n") + 2);
}

TEST(TextReport, EndsWithTheVerdictAndTheCounts) {
  EXPECT_EQ(last_lines(report(conformant_summary())),
            "mine 1   openvino-tile-1   core   CONFORMANT (full)\n"
            "  1 pass (0 vacuous)   0 fail   0 waived   0 unsupported   0 not run   40 of 40 clauses proven  "
            " 1.9 s\n");
}

TEST(TextReport, CountsWhatWasPlannedAndNotRecordedAsNotRun) {
  Summary summary(example_header(7240));
  Record record = example_pass("openvino-tile-1 f32[0] x i64{2}", {});
  record.judged.vacuous = true;
  summary.add(record);
  record.judged.verdict = Verdict::inconclusive;
  summary.add(record);
  EXPECT_EQ(last_lines(report(summary)),
            "mine 1   openvino-tile-1   core   INCOMPLETE (2 of 7,240 planned cases were run)\n"
            "  1 pass (1 vacuous)   0 fail   0 waived   0 unsupported   7,238 not run   1 inconclusive"
            "   0 of 40 clauses proven   1.9 s\n");
}

TEST(TextReport, BeginsWithWhatWasRun) {
  const std::string text = report(conformant_summary());
  EXPECT_EQ(
      text.substr(0, text.find("\n\n") + 1),
      "mine 1   certile 0.1.0   tier core   level full   seed 1\n"
      "  binary        sha256 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
      "  plan          sha256 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, 1 case\n"
      "  operators     openvino-tile-1\n"
      "  types         boolean i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 f16 bf16 f32 f64 nf4 f8e4m3 "
      "f8e5m2\n"
      "                f8e8m0 f4e2m1 c64 c128 string\n"
      "  repeats types boolean i4 i8 i16 i32 i64 u1 u2 u3 u4 u6 u8 u16 u32 u64 f16 bf16 f32 f64 nf4 f8e4m3 "
      "f8e5m2\n"
      "                f8e8m0 f4e2m1 c64 c128 string\n"
      "  limits        none\n"
      "  isolation     own process\n"
      "  isolation     address space limited to 4 GiB\n");
}

TEST(TextReport, BeginsTheListWithTheFailureThatTheTableCallsTheFirst) {
  Summary summary(example_header(3));
  // The last one is plainer, and no one knows the calls that it needs.
  for (const char* data : {"u8[0]", "f32[2,2]"}) {
    Record record = example_failure("openvino-tile-1 " + std::string(data) + " x i64{2}", {"OV-T1-X4"});
    record.amendments.back().reproduce = {record.literal};
    summary.add(record);
  }
  Record plainest = example_failure("openvino-tile-1 f32[3] x i64{2}", {"OV-T1-X4"});
  plainest.amendments.back().reproduce.clear();
  summary.add(plainest);
  const std::string text = report(summary, {.detail = Detail::whole});
  EXPECT_NE(text.find("VIOLATED by 3, first: openvino-tile-1 f32[2,2] x i64{2}"), std::string::npos) << text;
  const auto at = [&text](const std::string& literal) {
    return text.find("fail  mine  openvino-tile-1 " + literal);
  };
  EXPECT_LT(at("f32[2,2]"), at("u8[0]"));
  EXPECT_LT(at("u8[0]"), at("f32[3]"));
  EXPECT_NE(text.find("no command is known that shows it again"), std::string::npos) << text;
  EXPECT_EQ(text.find("certile run ./libmine.so 'openvino-tile-1 f32[3]"), std::string::npos) << text;
}

TEST(TextReport, GroupsFailuresByClauseAndShowsThePlainestFirst) {
  Summary summary(example_header(6));
  for (const char* shape : {"[7]", "[6]", "[5]", "[4]", "[3]"}) {
    summary.add(example_failure("openvino-tile-1 f32" + std::string(shape) + " x i64{2}", {"OV-T1-X4"}));
  }
  summary.add(example_failure("openvino-tile-1 f32[9] x i64{2}", {"CT-BITS"}));
  const std::string text = report(summary);
  const std::string above = text.substr(0, text.find("\n\nclause "));
  const std::string failures = above.substr(above.find("\n\n") + 1) + "\n";
  const std::string evidence =
      "      element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs\n"
      "      look closer: certile run ./libmine.so ";
  EXPECT_EQ(failures,
            "\nCT-BITS moved-bit-for-bit: 1 failure\n\n"
            "fail  mine  openvino-tile-1 f32[9] x i64{2}   elements   [CT-BITS moved-bit-for-bit]\n" +
                evidence + "'openvino-tile-1 f32[9] x i64{2}'\n" +
                "\nOV-T1-X4 zero-repeat (ours): 5 failures\n\n"
                "fail  mine  openvino-tile-1 f32[3] x i64{2}   elements   [OV-T1-X4 zero-repeat]\n" +
                evidence + "'openvino-tile-1 f32[3] x i64{2}'\n" +
                "fail  mine  openvino-tile-1 f32[4] x i64{2}   elements   [OV-T1-X4 zero-repeat]\n" +
                evidence + "'openvino-tile-1 f32[4] x i64{2}'\n" +
                "fail  mine  openvino-tile-1 f32[5] x i64{2}   elements   [OV-T1-X4 zero-repeat]\n" +
                evidence + "'openvino-tile-1 f32[5] x i64{2}'\n" +
                "… and 2 more; --records FILE keeps every one\n");
}

TEST(TextReport, TheTableSaysWhatIsKnownOfEachClause) {
  const std::string text = report(failing_summary(), {.detail = Detail::whole});
  const auto line = [&text](const std::string& id) {
    const std::size_t start = text.find("\n" + id + " ", text.find("\nclause ")) + 1;
    return text.substr(start, text.find('\n', start) - start);
  };
  EXPECT_EQ(line("clause"), "clause       name                         kind         verdict");
  EXPECT_EQ(line("OV-T1-G1"),
            "OV-T1-G1     data-movement                informative  not testable (nothing to run)");
  EXPECT_EQ(line("OV-T1-G2"), "OV-T1-G2     repeat-along-each-dimension  normative    proven by 1");
  EXPECT_EQ(line("OV-T1-D2"), "OV-T1-D2     formula-range                normative    text defective");
  EXPECT_EQ(line("OV-T1-X5"), "OV-T1-X5     negative-repeat              ours         not exercised");
  EXPECT_EQ(line("OV-T1-X4"),
            "OV-T1-X4     zero-repeat                  ours         "
            "VIOLATED by 1, first: openvino-tile-1 f32[2,3] x i64{2,2}");
}

TEST(TextReport, OfASuccessHasThreeLinesByDefault) {
  EXPECT_EQ(report(conformant_summary(), {.seconds = 1.94}),
            "mine 1   certile 0.1.0   tier core   level full   seed 1\n"
            "mine 1   openvino-tile-1   core   CONFORMANT (full)\n"
            "  1 pass (0 vacuous)   0 fail   0 waived   0 unsupported   0 not run   40 of 40 clauses proven  "
            " 1.9 s\n");
}

// Returns a failure of u8[3] that needs the call of u8[2] before it.
Record failure_after_another_call() {
  Record unsteady = example_failure("openvino-tile-1 u8[3] x i64{2}", {"CT-STEADY"});
  Amendment found{{Verdict::fail, Fault::unsteady, "CT-STEADY", "it failed"}, Amendment::By::diagnosis};
  found.reproduce = {"openvino-tile-1 u8[2] x i64{2}", unsteady.literal};
  unsteady.amendments.push_back(found);
  return unsteady;
}

TEST(TextReport, EndsWithALegendForWhoHasSeenNone) {
  const std::string without = report(conformant_summary(), {}),
                    with = report(conformant_summary(), {.legend = true});
  EXPECT_EQ(with.substr(0, without.size()), without);
  const std::string legend = with.substr(without.size());
  EXPECT_EQ(std::ranges::count(legend, '\n'), 4) << "an empty line and three: " << legend;
  for (const char* word :
       {"core", "full", "claim", "clause", "charged", "in doubt", "vacuous", "waived", "inconclusive"})
    EXPECT_NE(legend.find(word), std::string::npos) << word;
}

TEST(TextReport, TheFailureThatIsShownWholeIsThatOfTheFirstRow) {
  Summary summary(example_header(2));
  summary.add(failure_after_another_call());
  summary.add(example_failure("openvino-tile-1 f32[2,9] x i64{2}", {"OV-T1-X4"}));
  const std::string text = report(summary, {});
  const std::size_t table = text.find("plainest failure\n");
  EXPECT_EQ(text.substr(table + 17, 8), "OV-T1-X4") << text;
  EXPECT_LT(text.find("\nfail  mine  openvino-tile-1 f32[2,9] x i64{2}"),
            text.find("\nfail  mine  openvino-tile-1 u8[3]"))
      << text;
}

TEST(TextReport, OfAFailureHasTheVerdictTheClausesAndOneFailureByDefault) {
  Summary summary(example_header(4));
  for (const char* shape : {"[7]", "[6]"})
    summary.add(example_failure("openvino-tile-1 f32" + std::string(shape) + " x i64{2}", {"OV-T1-X4"}));
  summary.add(example_failure("openvino-tile-1 f32[9] x i64{2}", {"CT-BITS"}));
  const std::string text = report(summary, {});
  const std::string verdict = "mine 1   openvino-tile-1   core   " + summary.verdict_line() + "\n";
  EXPECT_EQ(text.substr(0, text.rfind('\n', text.size() - 2) + 1),
            "mine 1   certile 0.1.0   tier core   level full   seed 1\n" + verdict +
                "\nclause       name                failures  plainest failure\n"
                "OV-T1-X4     zero-repeat (ours)         2  openvino-tile-1 f32[6] x i64{2}   elements\n"
                "CT-BITS      moved-bit-for-bit          1  openvino-tile-1 f32[9] x i64{2}   elements\n"
                "\nfail  mine  openvino-tile-1 f32[6] x i64{2}   elements   [OV-T1-X4 zero-repeat]\n"
                "      element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs\n"
                "      look closer: certile run ./libmine.so 'openvino-tile-1 f32[6] x i64{2}'\n"
                "\n" +
                verdict);
}

TEST(TextReport, ShowsAFailureThatNeedsNoOtherCallsBeforeOneThatDoes) {
  Summary summary(example_header(4));
  Record unsteady = example_failure("openvino-tile-1 u8[] x i64{}", {"CT-STEADY"});
  unsteady.amendments.push_back(
      {{Verdict::fail, Fault::unsteady, "CT-STEADY", "it failed"}, Amendment::By::diagnosis});
  summary.add(unsteady);
  EXPECT_NE(report(summary, {}).find("fail  mine  openvino-tile-1 u8[] x i64{}"), std::string::npos);
  summary.add(example_failure("openvino-tile-1 f32[2,9] x i64{2}", {"OV-T1-X4"}));
  EXPECT_NE(report(summary, {}).find("fail  mine  openvino-tile-1 f32[2,9] x i64{2}"), std::string::npos);
}

// A failure that was not asked again alone may need earlier calls as well.
TEST(TextReport, ShowsAFailureThatOccurredAgainBeforeOneThatWasNotAskedAgain) {
  Summary summary(example_header(3));
  summary.add(failure_after_another_call());
  Record once = example_failure("openvino-tile-1 f32[1] x i64{2}", {"OV-T1-X4"});
  once.amendments.clear();
  summary.add(once);
  EXPECT_NE(report(summary, {}).find("fail  mine  openvino-tile-1 u8[3]"), std::string::npos);
  EXPECT_EQ(report(summary, {}).find("fail  mine  openvino-tile-1 f32[1]"), std::string::npos);
}

TEST(TextReport, HasTheCommandOfAFailureThatNeedsOtherCallsNextToThePlainest) {
  Summary summary(example_header(2));
  summary.add(failure_after_another_call());
  summary.add(example_failure("openvino-tile-1 f32[2,9] x i64{2}", {"OV-T1-X4"}));
  EXPECT_NE(
      report(summary, {})
          .find("fail  mine  openvino-tile-1 u8[3] x i64{2}   unsteady   [CT-STEADY same-call-same-bytes]\n"
                "      it failed\n"
                "      look closer: certile run ./libmine.so 'openvino-tile-1 u8[2] x i64{2}' "
                "'openvino-tile-1 u8[3] x i64{2}'\n"),
      std::string::npos)
      << report(summary, {});
}

TEST(TextReport, IsTheVerdictAloneIfAsked) {
  EXPECT_EQ(report(conformant_summary(), {.detail = Detail::verdict}),
            "mine 1   openvino-tile-1   core   CONFORMANT (full)\n");
}

TEST(TextReport, BreaksItsListsAtTheWidthOfTheTerminal) {
  const std::string text = report(conformant_summary(), {.detail = Detail::whole, .width = 60});
  const auto lists = text.substr(0, text.find("  limits"));
  const auto types = lists.substr(lists.find("  types"));
  std::istringstream lines(types);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 60U) << line;
  EXPECT_GT(std::ranges::count(types, '\n'), 2);
}

TEST(Overview, HasALineForEachOfSeveralRuns) {
  const Summary right = conformant_summary(), wrong = failing_summary();
  std::ostringstream out;
  write_overview(out, {&right, &wrong}, {});
  EXPECT_EQ(out.str(),
            "\nbackend       pass       fail     clauses  verdict\n"
            "mine 1           1          0    40 of 40  CONFORMANT\n"
            "mine 1           1          1     2 of 40  NOT CONFORMANT\n");
  std::ostringstream one;
  write_overview(one, {&right}, {});
  EXPECT_EQ(one.str(), "");
}

TEST(TextReport, HasColoursOnlyWhenAsked) {
  EXPECT_EQ(report(failing_summary()).find('\x1b'), std::string::npos);
  EXPECT_NE(report(conformant_summary(), {.colour = true}).find("\x1b[32mCONFORMANT (full)\x1b[0m"),
            std::string::npos);
}

TEST(TextReport, ANameCannotActUponTheTerminal) {
  RunHeader header = example_header(1);
  header.claim.name = "\x1b[2J\nmine 1   core   CONFORMANT (full)";
  header.claim.version = std::string(5000, 'v');
  header.isolation = {"\x1b[2J"};
  Summary summary(header);
  summary.mark_incomplete("\x1b[2J");
  const std::string text = report(summary, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\nmine"), std::string::npos);
  EXPECT_LT(text.size(), 3000U);
}

}  // namespace
}  // namespace certile::conformance
