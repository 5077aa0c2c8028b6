#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/ask/process/process_table.hpp"
#include "conformance/run/runs_test.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

// The case that the wrong workers get wrong, and one that they get right.
const std::string the_case = "openvino-tile-1 u8[7] x i64{2}";
const std::string another_case = "openvino-tile-1 f32[2,3] x i64{2,2}";
const std::string python = "'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/";

std::string worker_wrong_in(const std::string& way) {
  return "worker:" + python + "test_workers/wrong.py' " + way;
}

// Returns the record of the case that goes wrong, which is asked between two others that pass.
Record wrong_record(const std::string& way, int time_limit = 10'000) {
  RunOptions options = run_options(worker_wrong_in(way));
  options.isolate.time_limit = time_limit;
  const auto records =
      records_of(plan_of({another_case, the_case, "openvino-tile-1 f32[3,2] x i64{2,2}"}), options);
  EXPECT_EQ(records.size(), 3U);
  EXPECT_EQ(records.at(0).now().verdict, Verdict::pass) << records.at(0).now().words;
  EXPECT_EQ(records.at(2).now().verdict, Verdict::pass) << records.at(2).now().words;
  return records.at(1);
}

bool proves_clause(const Record& record, std::string_view clause) {
  return std::ranges::find(record.judged.exercised, clause) != record.judged.exercised.end();
}

TEST(Worker, IsCertifiedAsTheExampleIs) {
  const auto run =
      run_program({"certify", "worker:" + python + "example.py'", "--tier", "smoke", "--verbose"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_NE(
      run.out.find(
          "CONFORMANT (full; claim: 15 of 27 types; not exercised: OV-T1-X11, CT-WRITE, CT-BOUNDS, CT-STATE"),
      std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("a separate process, over a pipe"), std::string::npos) << run.out;
}

TEST(Worker, ProvesWhatShowsThroughAPipeAndNothingElse) {
  const auto records = records_of(worker_wrong_in("not_at_all"), {the_case});
  ASSERT_EQ(records.at(0).now().verdict, Verdict::pass) << the_case;
  for (const char* clause : {"OV-T1-G2", "CT-INFER", "CT-STEADY"})
    EXPECT_TRUE(proves_clause(records[0], clause)) << clause;
  for (const char* clause : {"CT-WRITE", "CT-BOUNDS", "CT-INPUT", "CT-ALIAS", "CT-SELF"})
    EXPECT_FALSE(proves_clause(records[0], clause)) << clause;
}

TEST(Worker, ShowsShapesByItsOutputsWhereItInfersNone) {
  const auto records = records_of(worker_wrong_in("no_infer"), {the_case});
  ASSERT_EQ(records.at(0).now().verdict, Verdict::pass) << records.at(0).now().words;
  EXPECT_TRUE(proves_clause(records[0], "OV-T1-O1"));
  EXPECT_FALSE(proves_clause(records[0], "CT-INFER"));
}

TEST(Worker, IsAskedNothingAboutMemoryOrThreads) {
  auto isolate = open_asker(isolate_options(worker_wrong_in("not_at_all")));
  ASSERT_TRUE(isolate);
  PlanOptions options;
  options.tier = Tier::smoke;
  const auto plan = make_plan((*isolate)->claim(), (*isolate)->transport(), options);
  ASSERT_TRUE(plan);
  for (const PlannedCase& planned : plan->cases)
    for (const char* placement : {"guard=", "offset=", "threads="})
      EXPECT_EQ(planned.literal.find(placement), std::string::npos) << planned.literal;
}

TEST(Worker, CrashesOnOneCaseAlone) {
  const Record record = wrong_record("exits");
  EXPECT_EQ(record.now().fault, Fault::crash);
  EXPECT_NE(record.now().words.find("exit code 3"), std::string::npos) << record.now().words;
  EXPECT_NE(record.now().words.find("this is the end"), std::string::npos) << record.now().words;
}

TEST(Worker, CrashesWhenItEndsWithoutFault) {
  EXPECT_EQ(wrong_record("exits_0").now().fault, Fault::crash);
}

TEST(Worker, CrashesWithTheSignalThatEndedIt) {
  const Record record = wrong_record("segfaults");
  EXPECT_EQ(record.now().fault, Fault::crash);
  EXPECT_NE(record.now().words.find("SIGSEGV"), std::string::npos) << record.now().words;
}

TEST(Worker, TimesOutOnOneCaseAlone) {
  EXPECT_EQ(wrong_record("hangs", limit_of_hangs).now().fault, Fault::timeout);
}

TEST(Worker, FailsWhereItPrintsInsteadOfAnswering) {
  const Record record = wrong_record("prints");
  EXPECT_EQ(record.now().fault, Fault::failed);
  EXPECT_NE(record.now().words.find("did your program print to stdout?"), std::string::npos)
      << record.now().words;
}

TEST(Worker, IsChargedWithAnOutputThatIsNotOfTheInferredShape) {
  const Record record = wrong_record("another_shape");
  EXPECT_EQ(record.now().charged, "CT-INFER");
  EXPECT_EQ(record.now().fault, Fault::shape);
  EXPECT_NE(record.now().words.find("the output is u8[1]"), std::string::npos) << record.now().words;
}

TEST(Worker, IsChargedWithAnOutputOfAnotherType) {
  const Record record = wrong_record("another_type");
  EXPECT_EQ(record.now().charged, "OV-T1-O2");
  EXPECT_EQ(record.now().fault, Fault::type);
}

TEST(Worker, IsChargedWithAShapeThatItInfersWrongly) {
  const Record record = wrong_record("infers_another_shape");
  EXPECT_EQ(record.now().charged, "OV-T1-G2");
  EXPECT_EQ(record.now().fault, Fault::shape);
}

TEST(Worker, ThatDoesNotStartIsNotLoaded) {
  const auto run = run_program({"certify", worker_wrong_in("dies_at_start"), "--tier", "smoke"});
  EXPECT_EQ(run.exit_code, 4) << run.error;
  EXPECT_NE(run.error.find("3 times in a row"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("there is no such runtime"), std::string::npos) << run.error;
}

TEST(Worker, WithoutACommandIsAWrongCommandLine) {
  EXPECT_EQ(run_program({"certify", "worker:"}).exit_code, 2);
}

TEST(WorkerCheck, FindsNothingWrongWithTheExample) {
  const auto run = run_program({"worker-check", python + "example.py'"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_EQ(run.out.find("WRONG"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("It speaks the protocol."), std::string::npos) << run.out;
}

TEST(WorkerCheck, NamesTheCureOfWhatIsNoMessage) {
  const auto run = run_program({"worker-check", python + "test_workers/wrong.py' greets"});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_NE(run.error.find("Keep descriptor 1 for the protocol"), std::string::npos) << run.error;
}

TEST(WorkerCheck, NamesTheCureOfAnAnswerToAnotherQuestion) {
  const auto run = run_program({"worker-check", python + "test_workers/wrong.py' never_answers_its_seq"});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_NE(run.out.find("send back the seq of each message"), std::string::npos) << run.out;
}

// Tests with a process in a separate session, which only the worker's host ends.
TEST(WorkerCheck, LeavesNoProcessBehind) {
  const std::string mark = std::to_string(400'000'000 + getpid());
  const auto run =
      run_program({"worker-check", "(setsid sleep " + mark + " &); exec " + python + "example.py'"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_EQ(processes_with(mark), 0);
}

TEST(WorkerCheck, HasTheLimitOfMemoryThatCertifyIsGiven) {
  if (!has_address_space_limit()) GTEST_SKIP() << "nothing is limited under this sanitizer or emulator";
  const std::string log = temporary_path(".log");
  run_program({"certify",
               "worker:ulimit -d >> '" + log + "'; exec " + python + "test_workers/wrong.py' not_at_all",
               "--memory-limit", "0", "--tier", "smoke", "--clause", "OV-T1-G2"});
  const std::string limits = file_content(log);
  EXPECT_EQ(limits.substr(0, 10), "unlimited\n") << limits;
}

TEST(WorkerCheck, KeepsCertifyFromJudgingWhatDoesNotSpeak) {
  const auto run = run_program({"certify", worker_wrong_in("never_answers_its_seq"), "--tier", "smoke"});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_NE(run.error.find("any Tile gets right"), std::string::npos) << run.error;
}

}  // namespace
}  // namespace certile::conformance
