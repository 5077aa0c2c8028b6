#include "conformance/run/run_plan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "conformance/run/chunk_runner.hpp"
#include "conformance/run/retry_budget.hpp"
#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

std::vector<std::string> literals_of(const std::vector<Record>& records) {
  std::vector<std::string> literals;
  for (const Record& record : records)
    literals.push_back(record.literal);
  return literals;
}

std::vector<std::string> literals_of(const Plan& plan) {
  std::vector<std::string> literals;
  for (const PlannedCase& planned : plan.cases)
    literals.push_back(planned.literal);
  return literals;
}

std::vector<std::string> sorted(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::string> some_cases(int count) {
  std::vector<std::string> literals;
  for (int index = 1; index <= count; ++index)
    literals.push_back("onnx-tile-13 u8[" + std::to_string(index) + "] x i64{2}");
  return literals;
}

std::ptrdiff_t count(const std::vector<Record>& records, Verdict verdict) {
  return std::count_if(records.begin(), records.end(),
                       [&](const Record& record) { return record.now().verdict == verdict; });
}

// Returns all contents of a record as text.
std::string text_of(const Record& record) {
  std::string text = record.literal + '\n' + std::string(record.now().charged) + '\n' + record.now().words;
  text += '\n' + std::string(name(record.now().verdict)) + ' ' + std::string(name(record.now().fault));
  for (const std::string_view id : record.judged.exercised)
    text += ' ' + std::string(id);
  for (const std::string& literal : record.reproduce())
    text += '\n' + literal;
  return text + (record.is_vacuous() ? "\nvacuous" : "");
}

std::vector<std::string> texts_of(const std::vector<Record>& records) {
  std::vector<std::string> texts;
  for (const Record& record : records)
    texts.push_back(text_of(record));
  return texts;
}

TEST(RunPlan, GivesARecordForEachCaseInTheirOrder) {
  const auto literals = some_cases(700);
  const auto records = records_of("scalar", literals);
  EXPECT_EQ(literals_of(records), literals);
  EXPECT_EQ(count(records, Verdict::pass), 700);
}

TEST(RunPlan, OfNoCasesGivesNoRecord) {
  EXPECT_TRUE(records_of("scalar", {}).empty());
}

TEST(RunPlan, OfTwoProcessesGivesTheRecordsOfOne) {
  Plan plan = some_of_smoke();
  if (std::ranges::none_of(plan.cases, [](const PlannedCase& each) { return each.literal == the_case; }))
    plan.cases.push_back(*parse_planned_case(the_case));
  for (const std::string& spelling : {example_plugin("libexample"), test_plugin("crash_on_one_case")}) {
    RunOptions options = run_options(spelling);
    const auto of_one = records_of(plan, options);
    options.jobs = 2;
    const auto of_two = records_of(plan, options);
    EXPECT_EQ(literals_of(of_one), literals_of(plan));
    EXPECT_EQ(texts_of(of_one), texts_of(of_two)) << spelling;
  }
}

TEST(RunPlan, GoesOnWithLaterPiecesWhileOneIsSlow) {
  const std::string file = testing::TempDir() + "certile-later-piece-" + std::to_string(getpid());
  constexpr std::size_t piece = 64;  // the first ones of a budget
  auto literals = some_cases(3 * piece);
  literals[0] = "onnx-tile-13 u8[501] x i64{2}";  // waits until the other one has been asked
  literals[2 * piece] = "onnx-tile-13 u8[502] x i64{2}";
  Plan plan = plan_of(literals);
  plan.before_budget = std::ssize(literals);
  RunOptions options = run_options(test_plugin("waits_for_another_process"));
  options.isolate.environment = {"CERTILE_TEST_FILE=" + file};
  options.isolate.time_limit = 100'000;
  options.jobs = 2;
  const auto records = records_of(plan, options);
  EXPECT_EQ(literals_of(records), literals);
  EXPECT_EQ(count(records, Verdict::pass), 3 * piece) << records[0].now().words;
  EXPECT_EQ(unlink(file.c_str()), 0);
}

TEST(RunPlan, ChargesACrashToItsCaseAlone) {
  auto literals = some_cases(300);
  literals.insert(literals.begin() + 100, the_case);
  const auto records = records_of(test_plugin("crash_on_one_case"), literals);
  EXPECT_EQ(literals_of(records), literals);
  EXPECT_EQ(count(records, Verdict::pass), 300);
  EXPECT_EQ(records[100].now().verdict, Verdict::fail);
  EXPECT_EQ(records[100].now().fault, Fault::crash);
  EXPECT_EQ(records[100].reproduce(), std::vector<std::string>{the_case});
}

TEST(RunPlan, ChargesAChangeOfTheProcessBeforeACallThatEndsIt) {
  const auto records =
      records_of(test_plugin("crashes_after_a_change"),
                 {"onnx-tile-13 u8[2] x i64{2}", "onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[5] x i64{2}",
                  "onnx-tile-13 u8[4] x i64{2}", "onnx-tile-13 u8[6] x i64{2}"});
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].now().verdict, Verdict::pass);
  EXPECT_EQ(records[1].now().charged, "CT-STATE") << records[1].now().words;
  EXPECT_EQ(records[2].now().verdict, Verdict::pass);
  EXPECT_EQ(records[3].now().fault, Fault::crash) << records[3].now().words;
  EXPECT_EQ(records[4].now().verdict, Verdict::pass);
}

// If cases of a clause keep crashing, its other cases wait and are asked at the end.
TEST(RunPlan, AsksInTheEndWhatHadToWait) {
  auto literals = some_cases(300);
  literals.push_back("onnx-tile-13 f32[0,3] x i64{2,2}");
  const auto records = records_of(test_plugin("over_reads"), literals);
  EXPECT_EQ(sorted(literals_of(records)), sorted(literals));
  EXPECT_EQ(count(records, Verdict::fail), 300);
  EXPECT_EQ(count(records, Verdict::pass), 1);
}

TEST(RunPlan, DoesNotRunWhatHadToWaitWhenTheTimeIsUp) {
  const auto literals = some_cases(700);
  RunOptions options = run_options(test_plugin("over_reads"));
  options.tier_time = std::chrono::seconds(0);
  const auto records = records_of(plan_of(literals), options);
  EXPECT_EQ(sorted(literals_of(records)), sorted(literals));
  EXPECT_GE(count(records, Verdict::fail), 10);
  EXPECT_GT(count(records, Verdict::not_run), 0);
  EXPECT_EQ(count(records, Verdict::fail) + count(records, Verdict::not_run), 700);
  const auto waited = std::find_if(records.begin(), records.end(), [](const Record& record) {
    return record.now().verdict == Verdict::not_run;
  });
  EXPECT_EQ(waited->now().fault, Fault::none);
  EXPECT_EQ(waited->backend, "over-reads");
}

TEST(RunPlan, EndsOnceHundredsOfCallsInARowHaveCrashed) {
  const auto literals = some_cases(900);
  RunOptions options = run_options(test_plugin("over_reads"));
  options.tier_time = std::chrono::hours(1);
  const auto records = records_of(plan_of(literals), options);
  EXPECT_EQ(sorted(literals_of(records)), sorted(literals));
  EXPECT_GE(count(records, Verdict::fail), 512);
  ASSERT_GT(count(records, Verdict::not_run), 300);
  EXPECT_EQ(records.back().now().reason, Reason::all_in_vain);
  EXPECT_TRUE(is_left_out(records.back()));
  EXPECT_FALSE(is_left_out(records.front()));
}

TEST(RunPlan, HasMemoryForTheCharactersOfLongStrings) {
  const auto records =
      records_of("scalar", {"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 string[3] x i64{2} fill=long:5"});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].now().verdict, Verdict::pass) << records[1].now().words;
}

// Each call of the backend is right, and takes more than half a second.
TEST(RunPlan, EndsEarlyWhereCallsAreSlow) {
  RunOptions options = run_options(test_plugin("slow"));
  options.tier_time = std::chrono::seconds(1);
  const auto records = records_of(plan_of(some_cases(40)), options);
  ASSERT_EQ(records.size(), 40U);
  EXPECT_EQ(count(records, Verdict::fail), 0);
  EXPECT_GE(count(records, Verdict::pass), 1);
  EXPECT_GE(count(records, Verdict::not_run), 30);
  EXPECT_EQ(records.back().now().reason, Reason::time_was_up);
}

// Each call takes a millisecond, so that a soak takes more than the time that slow calls may.
TEST(RunPlan, WaitsForManyCalls) {
  RunOptions options = run_options(test_plugin("slow_in_many_calls"));
  options.tier_time = std::chrono::seconds(2);
  std::vector<std::string> literals = some_cases(300);
  literals.insert(literals.begin(), "onnx-tile-13 f32[2,3] x i64{2,1} @calls=1000");
  EXPECT_EQ(count(records_of(plan_of(literals), options), Verdict::pass), 301);
}

// [CT-THREADS] No later call shows what the first ones did while one of them prepared something.  Each case
// has a separate process; on a busy machine few of them run two threads at the same time.
TEST(RunPlan, CatchesARaceOfTheFirstCalls) {
  std::vector<std::string> literals;
  for (int length = 1; length <= 16; ++length)
    literals.push_back("onnx-tile-13 f32[" + std::to_string(length) + "] x i64{2} @threads=4");
  const RunOptions options = run_options(test_plugin("races_when_first_called"));
  std::ptrdiff_t failed = 0;
  for (int round = 0; failed == 0 && round < 60; ++round) {
    const auto records = records_of(plan_of(literals), options);
    failed += count(records, Verdict::fail);
    for (const Record& record : records) {
      if (record.now().verdict != Verdict::fail) continue;
      EXPECT_EQ(record.now().charged, "CT-THREADS") << text_of(record);
    }
  }
  EXPECT_GT(failed, 0);
}

// What a process sets up in its first call says nothing of the others.
TEST(RunPlan, WaitsForAFirstCallThatIsSlow) {
  RunOptions options = run_options(test_plugin("slow_at_first"));
  options.tier_time = std::chrono::seconds(2);
  const auto records = records_of(plan_of(some_cases(40)), options);
  EXPECT_EQ(count(records, Verdict::pass), 40);
}

// The crashes of each clause are few, but all crashes together are many.  What they took is known for sure
// when their chunk has ended, so more cases pass than a chunk has.
TEST(RunPlan, EndsEarlyWhereCrashesOfSeveralClausesTakeTheTime) {
  std::vector<std::string> literals;
  for (int index = 1; index < RetryBudget::crashes_per_clause; ++index)
    for (const char* type : {"u8", "f32"})
      literals.push_back("onnx-tile-13 " + std::string(type) + "[" + std::to_string(index) + "] x i64{2}");
  for (std::size_t index = 1; index <= chunk_size + 600; ++index)  // cases that pass
    literals.push_back("onnx-tile-13 f32[0," + std::to_string(index) + "] x i64{2,2}");
  RunOptions options = run_options(test_plugin("over_reads"));
  options.tier_time = std::chrono::seconds(0);
  options.jobs = 1;
  const auto records = records_of(plan_of(literals), options);
  EXPECT_EQ(sorted(literals_of(records)), sorted(literals));
  EXPECT_GT(count(records, Verdict::fail), RetryBudget::few_troubles);
  ASSERT_GT(count(records, Verdict::not_run), 0);
  const auto waited = std::ranges::find_if(
      records, [](const Record& record) { return record.now().verdict == Verdict::not_run; });
  EXPECT_EQ(waited->now().reason, Reason::time_was_up);
}

TEST(RunPlan, StopsAtTheFirstFailureWhenAsked) {
  const Plan plan = smoke_plan();
  RunOptions options = run_options(test_plugin("unwritten_tail"));
  options.fail_fast = true;
  const auto records = records_of(plan, options);
  EXPECT_EQ(sorted(literals_of(records)), sorted(literals_of(plan)));
  EXPECT_GE(count(records, Verdict::fail), 1);
  EXPECT_GT(count(records, Verdict::not_run), 4000);
}

TEST(RunPlan, RunsNothingOnceItIsInterrupted) {
  const auto literals = some_cases(5000);
  const std::atomic<bool> interrupted{true};
  RunOptions options = run_options("scalar");
  options.interrupted = &interrupted;
  const auto records = records_of(plan_of(literals), options);
  EXPECT_EQ(literals_of(records), literals);
  EXPECT_EQ(count(records, Verdict::not_run), 5000);
}

TEST(RunPlan, KeepsWhatWasJudgedWhenItIsInterrupted) {
  const auto literals = some_cases(9000);  // more than two chunks
  std::atomic<bool> interrupted{false};
  RunOptions options = run_options("scalar");
  options.interrupted = &interrupted;
  std::vector<Record> records;
  const auto ran = run_plan(plan_of(literals), options, [&](const Record& record) {
    records.push_back(record);
    interrupted.store(true);
    return Result<Done>(Done{});
  });
  EXPECT_TRUE(ran);
  EXPECT_EQ(literals_of(records), literals);
  EXPECT_EQ(count(records, Verdict::pass), 4096);
  EXPECT_EQ(count(records, Verdict::not_run), 9000 - 4096);
}

TEST(RunPlan, StopsWhenARecordCannotBeHandedOn) {
  int handed = 0;
  const auto ran =
      run_plan(plan_of(some_cases(10)), run_options("scalar"), [&](const Record&) -> Result<Done> {
        ++handed;
        return Error{Error::Code::io, "the disk is full"};
      });
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().what, "the disk is full");
  EXPECT_EQ(handed, 1);
}

TEST(RunPlan, SaysThatABackendCannotBeStarted) {
  for (const int jobs : {1, 2}) {
    RunOptions options = run_options("./none.so");
    options.jobs = jobs;
    const auto ran =
        run_plan(plan_of(some_cases(9000)), options, [](const Record&) { return Result<Done>(Done{}); });
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, Error::Code::io);
  }
}

TEST(RunPlan, ReportsATimeOutWithTheWholeLimit) {
  RunOptions options = run_options(test_plugin("hang"));
  options.isolate.time_limit = limit_of_hangs;
  const auto records = records_of(plan_of({"onnx-tile-13 u8[2] x i64{2}", the_case}), options);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].now().fault, Fault::timeout);
  EXPECT_EQ(records[1].now().words.rfind("gave no answer within 2000 ms", 0), 0U) << records[1].now().words;
}

TEST(RunPlan, GivesTheWholeTimeToACallThatWasStoppedEarlyBesideAHang) {
  RunOptions options = run_options(test_plugin("slow_beside_a_hang"));
  options.isolate.time_limit = 5'000;
  const auto records =
      records_of(plan_of({"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[4] x i64{2}"}), options);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].now().fault, Fault::timeout);
  EXPECT_EQ(records[1].now().verdict, Verdict::pass) << records[1].now().words;
}

}  // namespace
}  // namespace certile::conformance
