#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/records/summary.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

using Conformance = Summary::Conformance;
const std::string passed_case = "openvino-tile-1 f32[2] x i64{2}";

// One row of the rules: the records of a run, and the verdict that follows.
struct Rule {
  std::string name;
  std::vector<Verdict> verdicts;
  std::string violated = {};
  std::int64_t unrecorded = 0;  // planned cases without a record
  bool filtered = false;
  Level level = Level::full;
  Conformance conformance = Conformance::full;
  int exit_code = 0;
};

void PrintTo(const Rule& rule, std::ostream* out) {
  *out << rule.name;
}

class VerdictRules : public testing::TestWithParam<Rule> {};

TEST_P(VerdictRules, Hold) {
  const Rule& rule = GetParam();
  RunHeader header = example_header(static_cast<std::int64_t>(rule.verdicts.size()) + rule.unrecorded);
  header.filtered = rule.filtered;
  header.level = rule.level;
  Summary summary(header);
  for (const Verdict verdict : rule.verdicts) {
    Record record = example_pass(passed_case, {"CT-BITS"});
    record.judged.verdict = verdict;
    if (verdict != Verdict::pass) record.judged.charged = rule.violated;
    summary.add(record);
  }
  EXPECT_EQ(summary.conformance(), rule.conformance) << summary.verdict_line();
  EXPECT_EQ(summary.exit_code(), rule.exit_code) << summary.verdict_line();
}

constexpr Verdict passes = Verdict::pass, fails = Verdict::fail, none_run = Verdict::not_run;
const std::string ours = "OV-T1-X4", normative = "OV-T1-R1", contract = "CT-BITS";

INSTANTIATE_TEST_SUITE_P(
    Table, VerdictRules,
    testing::Values(
        Rule{"all_pass", {passes, passes}},
        Rule{"all_pass_at_text", {passes}, {}, 0, false, Level::text, Conformance::full, 0},
        Rule{"none_planned", {}, {}, 0, false, Level::full, Conformance::nothing_run, 5},
        Rule{"none_recorded", {}, {}, 9, false, Level::full, Conformance::nothing_run, 5},
        Rule{"none_run", {none_run, none_run}, {}, 0, false, Level::full, Conformance::nothing_run, 5},
        Rule{"all_unsupported",
             {Verdict::unsupported},
             {},
             0,
             false,
             Level::full,
             Conformance::nothing_run,
             5},
        Rule{"all_inconclusive",
             {Verdict::inconclusive},
             {},
             0,
             false,
             Level::full,
             Conformance::nothing_run,
             5},
        Rule{"a_refusal_outside_the_claim", {passes, Verdict::unsupported}},
        Rule{"an_open_question", {passes, Verdict::inconclusive}},
        Rule{"a_waiver", {passes, Verdict::waived}, ours},
        Rule{"a_stale_waiver",
             {passes, Verdict::stale_waiver},
             normative,
             0,
             false,
             Level::full,
             Conformance::none,
             1},
        Rule{"normative_fails", {passes, fails}, normative, 0, false, Level::full, Conformance::none, 1},
        Rule{"normative_fails_at_text",
             {passes, fails},
             normative,
             0,
             false,
             Level::text,
             Conformance::none,
             1},
        Rule{
            "contract_fails_at_text", {passes, fails}, contract, 0, false, Level::text, Conformance::none, 1},
        Rule{"a_failure_without_clause", {passes, fails}, {}, 0, false, Level::text, Conformance::none, 1},
        Rule{"ours_fails", {passes, fails}, ours, 0, false, Level::full, Conformance::text, 1},
        Rule{"ours_fails_at_text", {passes, fails}, ours, 0, false, Level::text, Conformance::text, 0},
        Rule{"one_not_run", {passes, none_run}, {}, 0, false, Level::full, Conformance::incomplete, 1},
        Rule{"one_not_recorded", {passes}, {}, 1, false, Level::full, Conformance::incomplete, 1},
        Rule{"one_too_many", {passes, passes}, {}, -1, false, Level::full, Conformance::incomplete, 1},
        Rule{"incomplete_and_failing", {fails}, normative, 1, false, Level::full, Conformance::none, 1},
        Rule{"incomplete_and_ours_fails", {fails}, ours, 1, false, Level::full, Conformance::none, 1},
        Rule{"incomplete_and_ours_fails_at_text",
             {fails},
             ours,
             1,
             false,
             Level::text,
             Conformance::incomplete,
             1},
        Rule{"filtered", {passes}, {}, 0, true, Level::full, Conformance::partial, 0},
        Rule{"filtered_and_failing", {passes, fails}, normative, 0, true, Level::full, Conformance::none, 1},
        Rule{"filtered_and_ours_fails", {passes, fails}, ours, 0, true, Level::full, Conformance::none, 1},
        Rule{"filtered_and_ours_fails_at_text",
             {passes, fails},
             ours,
             0,
             true,
             Level::text,
             Conformance::partial,
             0},
        Rule{"filtered_and_cut_short", {passes}, {}, 1, true, Level::full, Conformance::incomplete, 1},
        Rule{"filtered_to_nothing", {}, {}, 0, true, Level::full, Conformance::nothing_run, 5}),
    [](const testing::TestParamInfo<Rule>& rule) { return rule.param.name; });

TEST(VerdictLine, IsOneWordWhereNothingIsMissing) {
  EXPECT_EQ(conformant_summary().verdict_line(), "CONFORMANT (full)");
}

TEST(VerdictLine, NamesTheLimitsOfTheClaimAndWhatWasNotExercised) {
  RunHeader header = example_header(1);
  header.claim.types = {ElementType::f32};
  header.claim.max_rank = 4;
  header.claim.infers = false;
  Summary summary(header);
  Record record = example_pass(passed_case, {});
  for (const Clause* clause : summary.clauses()) {
    if (clause->testable && clause->id != "CT-THREADS") record.judged.exercised.push_back(clause->id);
  }
  summary.add(record);
  EXPECT_EQ(summary.verdict_line(),
            "CONFORMANT (full; claim: f32, rank ≤ 4, no shape inference; not exercised: CT-THREADS)");
}

TEST(VerdictLine, NamesTheClausesThatAreViolated) {
  EXPECT_EQ(failing_summary().verdict_line().substr(0, 45), "NOT CONFORMANT (the published text holds; vio");
}

// A run with exit code 1 is never called CONFORMANT.
TEST(VerdictLine, SaysAtTheLevelFullThatOnlyTheTextHolds) {
  RunHeader header = example_header(2);
  Record passed = example_pass(passed_case, {});
  for (const Clause* clause : Summary(header).clauses())
    passed.judged.exercised.push_back(clause->id);
  Record failed = example_pass("openvino-tile-1 f32[1] x i64{0}", {"OV-T1-X4"});
  failed.judged.verdict = Verdict::fail;
  failed.judged.charged = "OV-T1-X4";
  for (const Level level : {Level::full, Level::text}) {
    header.level = level;
    Summary summary(header);
    summary.add(passed);
    summary.add(failed);
    EXPECT_EQ(summary.verdict_line(), level == Level::full
                                          ? "NOT CONFORMANT (the published text holds; violated: OV-T1-X4)"
                                          : "CONFORMANT (text; violated: OV-T1-X4)");
    EXPECT_EQ(summary.exit_code(), level == Level::full ? 1 : 0);
  }
}

// A clause is in doubt if failing cases exercise it, and no passing case does.
TEST(VerdictLine, NamesTheClausesInDoubtAndConformsAtNoLevel) {
  RunHeader header = example_header(2);
  header.level = Level::text;
  Summary summary(header);
  summary.add(example_pass(passed_case, {"OV-T1-G2"}));
  Record failed = example_pass("openvino-tile-1 f32[2,3] x i64{2,2,2}", {"OV-T1-R1e", "OV-T1-X4"});
  failed.judged.verdict = Verdict::fail;
  failed.judged.charged = "OV-T1-X4";
  summary.add(failed);
  EXPECT_EQ(summary.in_doubt(), (std::vector<std::string_view>{"OV-T1-R1e"}));
  EXPECT_EQ(std::ranges::count(summary.not_exercised(), "OV-T1-R1e"), 0);
  EXPECT_EQ(summary.conformance(), Conformance::none) << summary.verdict_line();
  EXPECT_EQ(summary.verdict_line().substr(0, 55), "NOT CONFORMANT (violated: OV-T1-X4; in doubt: OV-T1-R1e");
  EXPECT_EQ(summary.exit_code(), 1);
}

TEST(VerdictLine, NamesTheOperatorsWhenSomeWereLeftOut) {
  RunHeader header = example_header(1);
  header.claim.definitions = all_definitions();
  header.options.definitions = {openvino_tile_1};
  Summary summary(header);
  Record record = example_pass(passed_case, {});
  for (const Clause* clause : summary.clauses())
    record.judged.exercised.push_back(clause->id);
  summary.add(record);
  EXPECT_EQ(summary.verdict_line(), "CONFORMANT (full; asked: openvino-tile-1 alone)");
}

TEST(VerdictLine, SaysThatTheClaimExcludesWhatWasAsked) {
  RunHeader header = example_header(1);
  header.claim.definitions = {onnx_tile_13};
  header.options.definitions = {openvino_tile_1};
  Summary summary(header);
  Record record = example_pass(passed_case, {});
  record.judged.verdict = Verdict::unsupported;
  summary.add(record);
  EXPECT_EQ(summary.verdict_line(),
            "NOTHING RUN (the claim excludes every case; none of the claimed definitions was asked)");
}

TEST(VerdictLine, SaysWhyARunIsIncomplete) {
  Summary summary(example_header(1200));
  summary.add(example_pass(passed_case, {"CT-BITS"}));
  summary.mark_incomplete("interrupted");
  EXPECT_EQ(summary.verdict_line(), "INCOMPLETE (1 of 1,200 planned cases were run: interrupted)");
}

TEST(VerdictLine, SaysThatNothingWasPlanned) {
  EXPECT_EQ(Summary(example_header(0)).verdict_line(), "NOTHING RUN (no case was planned)");
}

TEST(VerdictLine, SaysThatThePlanWasFiltered) {
  RunHeader header = example_header(1);
  header.filtered = true;
  Summary summary(header);
  summary.add(example_pass(passed_case, {"CT-BITS"}));
  EXPECT_EQ(summary.verdict_line(), "PARTIAL (the plan was filtered)");
}

}  // namespace
}  // namespace certile::conformance
