// Tests that a plugin which crashes, hangs or worse in one of many cases fails in exactly that case.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/records/record_stream.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

struct Recorded {
  std::vector<Record> failures;
  std::int64_t planned = 0, passed = 0, others = 0;
};

// Returns what is recorded of those cases of the smoke tier that a budget chooses, which contain the case
// once. `time_limit` is in seconds, and long if nothing hangs, because a busy machine is slow.
Recorded certify_one_case(const std::string& plugin, const char* time_limit = "60") {
  const std::string records = temporary_path(".jsonl");
  const ProgramRun run = run_program({"certify", plugin, "--tier", "smoke", "--budget", "1500", "--records",
                                      records, "--time-limit", time_limit, "--memory-limit", "256"});
  EXPECT_LE(run.exit_code, 1) << run.error;
  Recorded recorded;
  const auto read = read_records(
      records, {[&](const RunHeader& header) { recorded.planned = header.planned; },
                [&](const Record& record) {
                  if (record.now().verdict == Verdict::fail)
                    recorded.failures.push_back(record);
                  else
                    ++(record.now().verdict == Verdict::pass ? recorded.passed : recorded.others);
                }});
  EXPECT_TRUE(read) << read.error().what;
  std::remove(records.c_str());
  return recorded;
}

// The number of cases that neither pass nor fail: of definitions that are not claimed, and of strings that
// are not UTF-8.
const std::int64_t neither_way = static_cast<std::int64_t>(all_definitions().size());

void expect_one_failure(const char* plugin, Fault fault, const char* time_limit = "60") {
  const Recorded recorded = certify_one_case(test_plugin(plugin), time_limit);
  ASSERT_EQ(recorded.failures.size(), 1U);
  EXPECT_EQ(recorded.failures[0].literal, the_case);
  EXPECT_EQ(recorded.failures[0].now().fault, fault);
  EXPECT_EQ(recorded.failures[0].reproduce(), std::vector<std::string>{the_case});
  EXPECT_EQ(recorded.others, neither_way);
  EXPECT_EQ(recorded.passed, recorded.planned - neither_way - 1);
}

void expect_no_failure(const char* plugin) {
  const Recorded recorded = certify_one_case(test_plugin(plugin));
  EXPECT_TRUE(recorded.failures.empty());
  EXPECT_EQ(recorded.passed, recorded.planned - neither_way);
}

TEST(OneCaseOfATier, IsFailedByACrash) {
  expect_one_failure("crash_on_one_case", Fault::crash);
}

TEST(OneCaseOfATier, IsFailedByAHang) {
  expect_one_failure("hang", Fault::timeout, "4");
}

TEST(OneCaseOfATier, IsFailedByAnEarlyEnd) {
  expect_one_failure("exit_zero", Fault::crash);
}

TEST(OneCaseOfATier, IsFailedByAFloodOfMemory) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no memory limit is in force here";
  expect_one_failure("memory_flood", Fault::memory);
}

TEST(OneCaseOfATier, IsNotFailedByClosedDescriptors) {
  expect_no_failure("closes_descriptors");
}

TEST(OneCaseOfATier, IsNotFailedByWhatIsPrinted) {
  expect_no_failure("writes_stdout");
}

}  // namespace
}  // namespace certile::conformance
