#include "conformance/run/diagnosis.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/run/retry_budget.hpp"
#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

using Literals = std::vector<std::string>;

// Returns the record of the last of these cases.
Record last_record(const std::string& plugin, const Literals& literals) {
  const auto records = records_of(test_plugin(plugin), literals);
  return records.empty() ? Record{} : records.back();
}

TEST(Diagnosis, ShortensAHistoryToTheCallsThatMatter) {
  Literals literals;
  for (int index = 0; index < 100; ++index)
    literals.push_back("onnx-tile-13 u8[2," + std::to_string(index + 1) + "] x i64{1,2}");
  literals.insert(literals.begin() + 37, "onnx-tile-13 u8[3] x i64{1}");
  literals.push_back("onnx-tile-13 u8[3] x i64{4}");
  const Record record = last_record("stateful", literals);
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().charged, "CT-STEADY");
  EXPECT_EQ(record.now().fault, Fault::unsteady);
  EXPECT_EQ(record.reproduce(), (Literals{"onnx-tile-13 u8[3] x i64{1}", "onnx-tile-13 u8[3] x i64{4}"}));
}

// The last run of a call and the first run of the next one have the same addresses.
TEST(Diagnosis, FindsACacheThatRecognizesItsDataByTheAddress) {
  const Record record = last_record(
      "caches_by_address", {"onnx-tile-13 f32[3] x i64{2} fill=bits:1", "onnx-tile-13 u8[5] x i64{1}",
                            "onnx-tile-13 f32[3] x i64{2} fill=bits:2", "onnx-tile-13 f32[3] x i64{2}"});
  EXPECT_EQ(record.now().charged, "CT-STEADY");
  EXPECT_EQ(record.reproduce(),
            (Literals{"onnx-tile-13 f32[3] x i64{2} fill=bits:2", "onnx-tile-13 f32[3] x i64{2}"}));
  EXPECT_TRUE(
      record.now().words.starts_with("it passes when it is called alone, and fails after the call "
                                     "onnx-tile-13 f32[3] x i64{2} fill=bits:2\n"))
      << record.now().words;
  EXPECT_TRUE(record.now().words.ends_with("\nthe whole answer is that of the call before it"))
      << record.now().words;
}

// More failures need a history than are searched for the shortest one.
TEST(Diagnosis, FindsTheOneCallWhoseKeyHasTheSameDigits) {
  Literals literals;
  for (int index = 11; index < 11 + 2 * RetryBudget::histories; ++index)
    literals.push_back("onnx-tile-13 u8[" + std::to_string(index) + "] x i64{5}");
  for (int index = 0; index < 100; ++index)
    literals.push_back("onnx-tile-13 u8[2," + std::to_string(index + 1) + "] x i64{1,2}");
  const std::size_t first = literals.size();
  for (int index = 11; index < 11 + 2 * RetryBudget::histories; ++index)
    literals.push_back("onnx-tile-13 u16[" + std::to_string(index / 10) + "] x i64{" +
                       std::to_string(index % 10) + "5}");
  std::erase_if(literals, [](const std::string& literal) { return literal.ends_with("{05}"); });
  const auto records = records_of(test_plugin("keys_by_digits"), literals);
  ASSERT_EQ(records.size(), literals.size());
  for (std::size_t index = first; index < records.size(); ++index) {
    EXPECT_EQ(records[index].now().charged, "CT-STEADY") << literals[index];
    EXPECT_EQ(records[index].reproduce().size(), 2U) << literals[index] << records[index].now().words;
  }
}

TEST(Diagnosis, ShowsTheSameThingAgainWithWhatItPrinted) {
  const Literals literals{"onnx-tile-13 u8[3] x i64{1}", "onnx-tile-13 u8[3] x i64{4}"};
  const Record first = last_record("stateful", literals);
  const Record again = last_record("stateful", first.reproduce());
  EXPECT_EQ(again.now().words, first.now().words);
  EXPECT_EQ(again.now().charged, first.now().charged);
}

TEST(Diagnosis, TellsPlacementFromOrder) {
  const Record misplaced = last_record("misplaced", {"onnx-tile-13 u8[3] x i64{2}"});
  EXPECT_EQ(misplaced.now().charged, "CT-PLACE");
  EXPECT_EQ(misplaced.now().fault, Fault::misplaced);
  EXPECT_EQ(misplaced.reproduce(), Literals{"onnx-tile-13 u8[3] x i64{2}"});
  const Record alternating = last_record("wrong_second_run", {"onnx-tile-13 u8[3,1] x i64{2,1}"});
  EXPECT_EQ(alternating.now().charged, "CT-STEADY");
  EXPECT_EQ(alternating.now().fault, Fault::unsteady);
}

TEST(Diagnosis, BlamesThePlacementThatACaseAsksFor) {
  for (const char* literal :
       {"onnx-tile-13 u8[3] x i64{2} @offset=3", "onnx-tile-13 u8[3] x i64{2} @guard=after",
        "onnx-tile-13 f64[8] x i64{8} @offset=8"}) {
    const Record record = last_record("misplaced", {literal});
    EXPECT_EQ(record.now().verdict, Verdict::fail) << literal;
    EXPECT_EQ(record.now().charged, "CT-PLACE") << literal;
    EXPECT_EQ(record.reproduce(), Literals{literal});
  }
}

// Each plugin that is wrong on purpose is charged with its fault.
TEST(Diagnosis, ChargesEachPluginWithItsFault) {
  struct Expected {
    const char* plugin;
    const char* literal;
    const char* violated;
    Fault fault;
  };
  for (const Expected& expected : {
           Expected{"one_byte_over", "onnx-tile-13 u8[3] x i64{2}", "CT-BOUNDS", Fault::wrote_outside},
           Expected{"one_byte_before", "onnx-tile-13 u8[3] x i64{2}", "CT-BOUNDS", Fault::wrote_outside},
           Expected{"over_reads", "onnx-tile-13 u8[3] x i64{2}", "CT-BOUNDS", Fault::read_outside},
           Expected{"changes_input", "onnx-tile-13 u8[3] x i64{2}", "CT-INPUT", Fault::changed_input},
           Expected{"moves_descriptor", "onnx-tile-13 u8[3] x i64{1}", "CT-ALIAS", Fault::aliased},
           Expected{"unwritten_tail", "onnx-tile-13 u8[3] x i64{2}", "CT-WRITE", Fault::left_unwritten},
           Expected{"writes_on_refusal", "onnx-tile-13 u8[3] x i64{-1}", "CT-REFUSE",
                    Fault::wrote_on_refusal},
           Expected{"throws", the_case, "ONNX-T13-S1", Fault::failed},
           Expected{"throws", "onnx-tile-13 u8[3] x i64{-1}", "ONNX-T13-X3", Fault::failed},
           Expected{"absurd_shape", "onnx-tile-13 u8[3] x i64{2}", "ONNX-T13-O2", Fault::shape},
           Expected{"absurd_shape", "onnx-tile-13 u8[3,1] x i64{2,1}", "ONNX-T13-O2", Fault::shape},
       }) {
    const Record record = last_record(expected.plugin, {expected.literal});
    EXPECT_EQ(record.now().verdict, Verdict::fail) << expected.plugin;
    EXPECT_EQ(record.now().charged, expected.violated) << expected.plugin << ": " << record.now().words;
    EXPECT_EQ(record.now().fault, expected.fault) << expected.plugin << ": " << record.now().words;
  }
}

// Returns the judgement of the case by a separate session.
Judged judged(const IsolateOptions& options, const PlannedCase& planned) {
  auto session = Session::open(options);
  EXPECT_TRUE(session);
  Judged failing;
  session->listen([&](Judged seen) { failing = std::move(seen); });
  EXPECT_TRUE(session->ask(planned));
  EXPECT_TRUE(session->finish());
  return failing;
}

// Processes are counted, because a worker's process may take seconds to start.
TEST(Diagnosis, AsksForAllPlainerCallsInTheProcessThatAnsweredTheCase) {
  const IsolateOptions options = isolate_options(test_plugin("absurd_shape"));
  Diagnosis diagnosis(options);
  int expected = 0;
  for (const char* literal :
       {"onnx-tile-13 u8[0] x i64{0}", "onnx-tile-13 u16[0] x i64{0}", "onnx-tile-13 i8[0] x i64{0}"}) {
    const PlannedCase planned = *parse_planned_case(literal);
    const auto record = diagnosis.explain(judged(options, planned), {}, [] { return false; });
    ASSERT_TRUE(record);
    EXPECT_NE(record->words.find("it goes wrong in the same way: onnx-tile-13 f32[2] x i64{2}"),
              std::string::npos)
        << record->words;
    // One process for each case, and for all cases one to see that the plainest fails alone, and one with
    // other surroundings.
    expected += expected == 0 ? 3 : 1;
    EXPECT_EQ(diagnosis.processes(), expected) << literal;
  }
}

// Earlier calls are not charged if the rig or this machine could not ask the case.
TEST(Diagnosis, ChargesNoHistoryWithWhatCouldNotBeAskedAgain) {
  const IsolateOptions options = isolate_options("scalar");
  const PlannedCase too_large = *parse_planned_case("openvino-tile-1 u8[1] x i64{9000000000000}");
  const PlannedCase before = *parse_planned_case("onnx-tile-13 u8[3] x i64{2}");
  Judged failing = judged(options, too_large);
  ASSERT_EQ(failing.record.now().verdict, Verdict::not_run);
  failing.record.judged.verdict = Verdict::fail;
  failing.record.judged.fault = Fault::elements;
  failing.record.judged.charged = "OV-T1-X2";
  const std::vector<const PlannedCase*> history{&before};
  const auto record = Diagnosis(options).explain(failing, history, [] { return true; });
  ASSERT_TRUE(record);
  EXPECT_EQ(record->charged, "OV-T1-X2");
  EXPECT_EQ(record->fault, Fault::elements);
  EXPECT_NE(record->words.find("it could not be asked again"), std::string::npos) << record->words;
}

TEST(Diagnosis, DoesNotSayThatATimeOutPassedIfItCouldNotBeAskedAgain) {
  IsolateOptions options = isolate_options("scalar");
  options.time_limit = 1;
  const PlannedCase too_large = *parse_planned_case("openvino-tile-1 u8[1] x i64{9000000000000}");
  Judged failing = judged(options, too_large);
  failing.record.judged.verdict = Verdict::fail;
  failing.record.judged.fault = Fault::timeout;
  failing.seen.outcome = TimedOut{options.time_limit};
  options.time_limit = 0;  // every answer is close to this limit
  const auto amendment = Diagnosis(options).explain(failing, {}, [] { return true; });
  ASSERT_TRUE(amendment);
  EXPECT_EQ(amendment->verdict, Verdict::fail);
  EXPECT_NE(amendment->words.find("it could not be asked again"), std::string::npos) << amendment->words;
}

TEST(Diagnosis, LeavesATimeOutOpenIfTheCaseAlonePassesCloseToTheLimit) {
  RunOptions options = run_options(test_plugin("slow_after_another"));
  options.isolate.time_limit = 3'000;  // twice 0.8 s are half of it, and 0.8 s leave a busy machine the rest
  const auto records =
      records_of(plan_of({"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[4] x i64{2}"}), options);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].judged.fault, Fault::timeout);
  EXPECT_EQ(records[1].now().verdict, Verdict::not_run) << records[1].now().words;
  EXPECT_NE(records[1].now().words.find("too close to the time limit"), std::string::npos)
      << records[1].now().words;
}

// With 2 for each 0 the output would have 2^26 elements, each compared on its own.
TEST(Diagnosis, MakesNoCallWithoutElementsOneOfMillions) {
  const IsolateOptions options = isolate_options(CERTILE_MUTANTS "/M09.so");
  std::string zeros = "0";
  for (int axis = 1; axis < 26; ++axis)
    zeros += ",0";
  const PlannedCase planned = *parse_planned_case("openvino-tile-1 f32[1] x i64{" + zeros + "}");
  const auto amendment = Diagnosis(options).explain(judged(options, planned), {}, [] { return false; });
  ASSERT_TRUE(amendment);
  EXPECT_EQ(amendment->verdict, Verdict::fail);
  EXPECT_EQ(amendment->words.find("{2,2"), std::string::npos) << amendment->words;
}

TEST(Diagnosis, ChargesAHangToTheClauseOfAPlainerCallThatHangsToo) {
  RunOptions options = run_options(test_plugin("hang_on_rank_three"));
  options.isolate.time_limit = limit_of_hangs;
  for (const char* literal :
       {"onnx-tile-13 u8[2,2,2] x i64{1,1,1}", "onnx-tile-13 f32[2,2,3] x i64{3,2,0}"}) {
    const Record record = records_of(plan_of({literal}), options).front();
    EXPECT_EQ(record.now().fault, Fault::timeout);
    EXPECT_EQ(record.now().charged, "CT-RETURN") << record.now().words;
  }
}

TEST(Diagnosis, ChargesAHangThatAnEarlierCallCauses) {
  RunOptions options = run_options(test_plugin("slow_after_another"));
  options.isolate.time_limit = limit_of_hangs;
  const Literals literals{"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[5] x i64{2}"};
  const auto records = records_of(plan_of(literals), options);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].now().verdict, Verdict::fail) << records[1].now().words;
  EXPECT_EQ(records[1].now().charged, "CT-STEADY");
  EXPECT_EQ(records[1].reproduce(), literals);
}

TEST(Diagnosis, ChargesRanksThatDoNotExist) {
  for (const char* literal :
       {"onnx-tile-13 u8[1,2,3] x i64{1,1,1}", "onnx-tile-13 u8[1,2,3,4] x i64{1,1,1,1}"})
    EXPECT_EQ(last_record("absurd_shape", {literal}).now().verdict, Verdict::fail) << literal;
}

}  // namespace
}  // namespace certile::conformance
