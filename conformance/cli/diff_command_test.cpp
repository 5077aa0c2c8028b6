#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/mutants_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

const std::string right_case = "onnx-tile-13 u8[3] x i64{2}", wrong_case = "onnx-tile-13 u8[3] x i64{0}";

std::string records(const std::string& name, Words words) {
  const std::string path = temporary_path(name + ".jsonl");
  words.insert(words.begin(), "certify");
  words.insert(words.end(), {"--records", path, "--quiet"});
  run_program(words);
  return path;
}

void expect_lines(const ProgramRun& run, int exit_code, const Words& lines) {
  EXPECT_EQ(run.exit_code, exit_code) << run.out << run.error;
  std::size_t from = 0;
  for (const std::string& line : lines) {
    const std::size_t at = run.out.find(line, from);
    EXPECT_NE(at, std::string::npos) << line << "\nis not in order in\n" << run.out;
    if (at != std::string::npos) from = at;
  }
}

TEST(Diff, OfEqualRecordsIsNothing) {
  const std::string path = records("same", {"scalar", "--case", right_case});
  expect_lines(run_program({"diff", path, path}), 0, {"\nTHE SAME\n"});
}

TEST(Diff, TellsWhatNewlyFailsFirst) {
  const Words cases{"--case", right_case, "--case", wrong_case};
  const std::string right = records("right", {"scalar", cases[0], cases[1], cases[2], cases[3]});
  const std::string wrong = records("wrong", {zero_as_one, cases[0], cases[1], cases[2], cases[3]});
  expect_lines(run_program({"diff", right, wrong}), 1,
               {"WORSE  newly failing: 1\n         " + wrong_case + "   ONNX-T13-",
                "WORSE  clauses that are worse off", "\nWORSE\n"});
  expect_lines(run_program({"diff", wrong, right}), 0,
               {"newly passing: 1\n         " + wrong_case, "clauses that are better off", "\nNOT WORSE\n"});
}

TEST(Diff, TellsCasesThatCameAndWent) {
  const std::string one = records("one", {"scalar", "--case", right_case});
  const std::string other = records("other", {"scalar", "--case", wrong_case});
  expect_lines(run_program({"diff", one, other}), 1,
               {"clauses that are worse off", "cases that came: 1\n         " + wrong_case,
                "cases that went: 1\n         " + right_case});
}

TEST(Diff, TellsThatAFailureOfANewCaseIsWorse) {
  const std::string one = records("one", {zero_as_one, "--case", right_case});
  const std::string both = records("both", {zero_as_one, "--case", right_case, "--case", wrong_case});
  expect_lines(run_program({"diff", one, both}), 1,
               {"WORSE  newly failing: 1\n", wrong_case, "(a new case)"});
}

TEST(Diff, TellsANarrowerClaimAndWhatIsNewlyUnsupported) {
  // The mutant claims no more than 64 axes.
  std::string shape = "1", repeats = "1";
  for (int axis = 1; axis < 65; ++axis) {
    shape += ",1";
    repeats += ",1";
  }
  const std::string deep = "onnx-tile-13 u8[" + shape + "] x i64{" + repeats + "}";
  const std::string wide = records("wide", {"scalar", "--case", deep, "--case", right_case});
  const std::string narrow = records("narrow", {zero_as_one, "--case", deep, "--case", right_case});
  expect_lines(run_program({"diff", wide, narrow}), 1,
               {"WORSE  newly unsupported: 1\n         onnx-tile-13 u8[1,1,",
                "WORSE  claim narrowed: ", "max_rank at most 64, before without limit"});
}

TEST(Diff, ShowsTenOfAKindAndAllWhenAsked) {
  Words right{"scalar"}, wrong{zero_as_one};
  for (int size = 1; size <= 13; ++size)
    for (Words* run : {&right, &wrong})
      run->insert(run->end(), {"--case", "onnx-tile-13 u8[" + std::to_string(size) + "] x i64{0}"});
  const std::string before = records("before", right), after = records("after", wrong);
  expect_lines(run_program({"diff", before, after}), 1,
               {"newly failing: 13\n         onnx-tile-13 u8[1] x", "u8[10] x",
                "         and 3 more, which --verbose"});
  expect_lines(run_program({"diff", before, after, "--verbose"}), 1, {"u8[12] x", "u8[13] x"});
}

TEST(Diff, RefusesWhatItCannotReadOrCompare) {
  const std::string path = records("one", {"scalar", "--case", right_case});
  const std::string two = records("two", {"scalar", "simd", "--case", right_case});
  const std::string cut = temporary_path("cut.jsonl");
  std::ofstream(cut) << file_content(path).substr(0, 3000);
  EXPECT_EQ(run_program({"diff", path, "/no/such/file"}).exit_code, 2);
  EXPECT_EQ(run_program({"diff", "/no/such/file", path}).exit_code, 2);
  EXPECT_EQ(run_program({"diff", path, cut}).exit_code, 2);
  const ProgramRun gone = run_program({"diff", two, path});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_NE(gone.error.find("has no run of simd"), std::string::npos) << gone.error;
}

}  // namespace
}  // namespace certile::conformance
