#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "conformance/run/chunk_runner.hpp"
#include "conformance/run/runs_test.hpp"

// Tests that a kernel which is right in some surroundings alone is found, and charged with them.
namespace certile::conformance {
namespace {

const std::string two_rows = "onnx-tile-13 f32[2,3] x i64{2,1}";

std::string path_of_mutant(const char* id) {
  return CERTILE_MUTANTS "/" + std::string(id) + ".so";
}

Record record_among(Surroundings surroundings, const char* id) {
  RunOptions options = run_options(path_of_mutant(id));
  options.isolate.surroundings = surroundings;
  return records_of(plan_of({two_rows}), options).front();
}

void expect_charged_with(const Record& record, const std::string& sentence) {
  EXPECT_EQ(record.now().charged, "CT-STEADY");
  EXPECT_EQ(record.now().fault, Fault::unsteady);
  EXPECT_TRUE(record.now().words.starts_with(sentence + "\n")) << record.now().words;
  EXPECT_EQ(record.reproduce(), std::vector{two_rows});
}

TEST(DiagnosisOfSurroundings, NamesTheVariableThatACallFailsWith) {
  EXPECT_EQ(record_among(Surroundings::bare(), "M340").now().verdict, Verdict::pass);
  expect_charged_with(record_among(Surroundings::of_a_user(), "M340"),
                      "it fails where HOME is set, and passes where it is not");
}

TEST(DiagnosisOfSurroundings, NamesTheVariableThatACallNeeds) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) GTEST_SKIP() << "the tests run with OMP_NUM_THREADS";
  EXPECT_EQ(record_among(Surroundings::of_a_user(), "M341").now().verdict, Verdict::pass);
  expect_charged_with(record_among(Surroundings::bare(), "M341"),
                      "it fails where OMP_NUM_THREADS is not set, and passes where it is");
}

TEST(DiagnosisOfSurroundings, NamesTheProgram) {
  if (!emulator_words().empty()) GTEST_SKIP() << "an emulator keeps the name of its program";
  for (const char* id : {"M343", "M344", "M345"})
    expect_charged_with(
        record_among(Surroundings::of_a_user(), id),
        "it fails where the program is called python3, and passes where it is called certile");
}

TEST(DiagnosisOfSurroundings, NamesSeveralThatAreNeededTogether) {
  expect_charged_with(record_among(Surroundings::of_a_user(), "M347"),
                      "it fails where USER is set and SHELL is set, and passes elsewhere");
}

TEST(DiagnosisOfSurroundings, ChargesOtherFailuresAsEverywhere) {
  const Record bare = record_among(Surroundings::bare(), "M01");
  const Record users = record_among(Surroundings::of_a_user(), "M01");
  EXPECT_EQ(bare.now().charged, "ONNX-T13-S2");
  EXPECT_EQ(users.now().charged, bare.now().charged);
  EXPECT_EQ(users.now().words, bare.now().words);
}

TEST(DiagnosisOfSurroundings, HasTheSecondHalfOfAShortPlanInOthers) {
  std::vector<std::string> literals;
  for (std::size_t index = 0; index < least_to_halve; ++index)
    literals.push_back("onnx-tile-13 u8[3," + std::to_string(index + 1) + "] x i64{2,1}");
  const auto records = records_of(path_of_mutant("M340"), literals);
  ASSERT_EQ(records.size(), literals.size());
  for (std::size_t index = 0; index < records.size(); ++index)
    EXPECT_EQ(records[index].now().verdict == Verdict::fail, index >= records.size() / 2) << index;
  literals.pop_back();
  for (const Record& record : records_of(path_of_mutant("M340"), literals))
    EXPECT_EQ(record.now().verdict, Verdict::pass);
}

}  // namespace
}  // namespace certile::conformance
