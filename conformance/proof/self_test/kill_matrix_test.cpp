#include "conformance/proof/self_test/kill_matrix.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "conformance/proof/self_test/learned_weights.hpp"

namespace certile::conformance {
namespace {

KillMatrix small_matrix() {
  KillMatrix matrix;
  matrix.seed = 7;
  matrix.plan_digest = "ab";
  matrix.mutants = {"M01", "M02", "M03", "M04"};
  matrix.rows = {
      {"onnx-tile-13 u8[1] x i64{2}", Generator::lengths, false, 90, {true, true, true, false}},
      {"onnx-tile-13 u8[2] x i64{2}", Generator::random, false, 3000, {false, false, false, false}},
      {"onnx-tile-13 u8[3] x i64{2}", Generator::random, false, 64, {true, true, true, false}},
      {"onnx-tile-13 u8[4] x i64{2}", Generator::random, false, 0, {true, false, true, false}},
  };
  return matrix;
}

std::string written(const KillMatrix& matrix) {
  std::ostringstream text;
  write_matrix(text, matrix);
  return text.str();
}

constexpr const char* small_text = R"(certile-kill-matrix 1
tier smoke
seed 7
plan ab
mutants M01 M02 M03 M04
killed M01-M03
case 89d65de710878dfc lengths 128 onnx-tile-13 u8[1] x i64{2}
case 837e0172871e2b7b random 64 onnx-tile-13 u8[3] x i64{2}
killed none
case 2e6b276efbc6d0dd random 4096 onnx-tile-13 u8[2] x i64{2}
killed M01 M03
case 5b9beca74ef6db62 random 1 onnx-tile-13 u8[4] x i64{2}
)";

TEST(KillMatrix, PutsCasesThatKillTheSameTogether) {
  EXPECT_EQ(written(small_matrix()), small_text);
}

TEST(KillMatrix, ReadsBackWhatItWrote) {
  KillMatrix matrix = small_matrix();
  matrix.tier = Tier::core;
  matrix.budget = "1000";
  const std::string text = written(matrix);
  const auto read = parse_matrix(text, "file");
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(written(*read), text);
  EXPECT_EQ(read->rows.size(), matrix.rows.size());
}

TEST(KillMatrix, NamesTheLineThatIsWrong) {
  const std::string text = small_text;
  const auto error_of = [](const std::string& wrong) {
    const auto read = parse_matrix(wrong, "file");
    return read ? std::string() : read.error().what;
  };
  EXPECT_EQ(error_of("nothing\n"), "file:1: is no line of a kill matrix");
  EXPECT_EQ(error_of("certile-kill-matrix 1\nmutants M01\n"), "file is a kill matrix without cases");
  const auto with = [&text](const std::string& part, const std::string& other) {
    return std::string(text).replace(text.find(part), part.size(), other);
  };
  EXPECT_EQ(error_of(with("M01-M03", "M01-M09")), "file:6: is no line of a kill matrix");
  EXPECT_EQ(error_of(with("lengths", "widths")), "file:7: is no line of a kill matrix");
  EXPECT_EQ(error_of(with("u8[1]", "u8[9]")), "file:7: is no line of a kill matrix");
  EXPECT_EQ(error_of(with("tier smoke", "tier none")), "file:2: is no line of a kill matrix");
}

TEST(KillMatrix, SaysWhatEachGeneratorIsWorth) {
  KillMatrix matrix = small_matrix();
  for (KillMatrix::Row& row : matrix.rows)
    row.cost = 1000;
  std::ostringstream text;
  write_matrix_summary(text, matrix, 3);
  EXPECT_EQ(text.str(),
            "generator                   cases   kill none  mutants   alone          ms kills per ms\n"
            "lengths                         1           0        3       0         1.0            3\n"
            "random                          3           1        3       0         3.0            2\n"
            "survive: M04\n"
            "fragile: M02 (2)\n"
            "kill matrix  smoke   3 of 4 mutants killed   4 cases, of which 1 kill none\n");
}

// Returns a matrix in which `lengths` kills M01 always, and `random` kills M02 with one of ten cases.
std::pair<KillMatrix, std::vector<PlannedCase>> lopsided() {
  KillMatrix matrix;
  matrix.mutants = {"M01", "M02"};
  std::vector<PlannedCase> cases;
  for (int number = 1; number <= 2000; ++number) {
    const bool is_random = number > 1000;
    PlannedCase planned = *parse_planned_case("onnx-tile-13 u8[" + std::to_string(number) + "] x i64{1}");
    planned.generator = is_random ? Generator::random : Generator::lengths;
    matrix.rows.push_back(
        {planned.literal, planned.generator, false, 50, {!is_random, is_random && number % 100 == 0}});
    cases.push_back(std::move(planned));
  }
  return {matrix, cases};
}

TEST(LearnedWeights, AreHighWhereAMutantIsHardToKill) {
  const auto [matrix, cases] = lopsided();
  const Weights weights = learned_weights(matrix, cases, {true, true});
  EXPECT_GT(weights[Generator::random], 10 * weights[Generator::lengths]);
}

TEST(LearnedWeights, DoNotForgetAGeneratorThatKillsNothing) {
  const auto [matrix, cases] = lopsided();
  const Weights weights = learned_weights(matrix, cases, {true, false});
  EXPECT_GE(weights[Generator::random], 1U);
  const auto killed = killed_by_first(1000, weights, matrix, cases);
  EXPECT_EQ(killed, (std::vector<bool>{true, true}));
}

TEST(LearnedWeights, AreWrittenAsTheyAreRead) {
  const auto [matrix, cases] = lopsided();
  std::ostringstream text;
  write_learned(text, matrix, cases);
  const auto read = parse_weights(text.str(), "written");
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->of, learned_weights(matrix, cases, {true, true}).of);
  EXPECT_NE(text.str().find("# Of the 2 mutants of the tier smoke, 1000 cases kill 2 (100.0 %)"),
            std::string::npos)
      << text.str();
}

}  // namespace
}  // namespace certile::conformance
