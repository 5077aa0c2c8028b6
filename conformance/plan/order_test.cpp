#include "conformance/plan/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "conformance/plan/witnesses.hpp"

namespace certile::conformance {
namespace {

PlannedCase planned(const std::string& literal, Generator generator, bool follows = false) {
  PlannedCase made = *parse_planned_case(literal);
  made.generator = generator;
  made.follows = follows;
  return made;
}

std::vector<std::string> literals_of(const std::vector<PlannedCase>& cases) {
  std::vector<std::string> literals;
  for (const PlannedCase& each : cases)
    literals.push_back(each.literal);
  return literals;
}

// Returns `count` cases of each of two generators.
std::vector<PlannedCase> of_two_generators(int count) {
  std::vector<PlannedCase> cases;
  for (int length = 1; length <= count; ++length) {
    const std::string shape = std::to_string(length);
    cases.push_back(planned("onnx-tile-13 u8[" + shape + "] x i64{2}", Generator::lengths));
    cases.push_back(planned("onnx-tile-13 u8[" + shape + "] x i64{3}", Generator::random));
  }
  return cases;
}

Weights weights_of(const std::string& text) {
  return *parse_weights(text, "test");
}

TEST(Order, KeepsEveryCase) {
  std::vector<PlannedCase> cases = of_two_generators(50);
  auto before = literals_of(cases);
  put_most_telling_first(cases, weights_of("lengths 3\nrandom 1\n"));
  auto after = literals_of(cases);
  EXPECT_NE(before, after);
  std::ranges::sort(before);
  std::ranges::sort(after);
  EXPECT_EQ(before, after);
}

TEST(Order, DoesNotDependOnTheOrderBefore) {
  std::vector<PlannedCase> cases = of_two_generators(50), others = cases;
  std::ranges::reverse(others);
  put_most_telling_first(cases, weights_of("lengths 3\nrandom 1\n"));
  put_most_telling_first(others, weights_of("lengths 3\nrandom 1\n"));
  EXPECT_EQ(literals_of(cases), literals_of(others));
}

TEST(Order, HasGeneratorsInProportionToTheirWeightsAtEveryPlace) {
  std::vector<PlannedCase> cases = of_two_generators(200);
  put_most_telling_first(cases, weights_of("lengths 3\nrandom 1\n"));
  for (const std::size_t end : {4U, 40U, 100U, 200U}) {
    const auto lengths = std::count_if(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(end),
                                       [](const auto& each) { return each.generator == Generator::lengths; });
    EXPECT_EQ(lengths, static_cast<std::ptrdiff_t>(3 * end / 4)) << end;
  }
}

TEST(Order, TakesTheCellsOfAGeneratorInTurn) {
  std::vector<PlannedCase> cases;
  for (int length = 1; length <= 30; ++length)
    for (const char* definition : {"onnx-tile-13", "onnx-tile-6"})
      for (const char* type : {"u8", "f32", "string"}) {
        const bool is_rare = std::string_view(type) == "string" && length > 3;
        if (!is_rare)
          cases.push_back(
              planned(std::string(definition) + " " + type + "[" + std::to_string(length) + "] x i64{2}",
                      Generator::random));
      }
  put_most_telling_first(cases, weights_of(""));
  std::set<std::pair<DefinitionId, ElementType>> seen;
  for (std::size_t index = 0; index < 6; ++index) {
    const Case question = cases[index].question();
    seen.emplace(question.definition, question.data.type());
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Order, LeavesCasesBehindThoseThatTheyFollow) {
  std::vector<PlannedCase> cases = of_two_generators(20);
  for (int turn = 0; turn < 5; ++turn) {
    const std::string fill = " fill=bits:" + std::to_string(turn);
    cases.push_back(planned("onnx-tile-13 u8[3] x i64{2}" + fill, Generator::state));
    cases.push_back(planned("onnx-tile-13 u8[2] x i64{3}" + fill, Generator::state, true));
  }
  put_most_telling_first(cases, weights_of(""));
  const auto fill_of = [](const PlannedCase& each) { return each.literal.substr(each.literal.find("fill")); };
  int following = 0;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    if (!cases[index].follows) continue;
    ++following;
    EXPECT_EQ(fill_of(cases[index - 1]), fill_of(cases[index]));
  }
  EXPECT_EQ(following, 5);
}

TEST(Order, HasWitnessesFirst) {
  const std::string witness = "onnx-tile-13 i64[5] x i64{209716}";
  ASSERT_TRUE(is_witness(witness));
  std::vector<PlannedCase> cases = of_two_generators(50);
  cases.push_back(planned(witness, Generator::large));
  put_most_telling_first(cases, weights_of("lengths 300\nrandom 300\nlarge 1\n"));
  EXPECT_EQ(cases.front().literal, witness);
}

TEST(Order, HasCasesGivenByNameLast) {
  std::vector<PlannedCase> cases = of_two_generators(3);
  cases.insert(cases.begin(), planned("onnx-tile-13 u8[9] x i64{9}", Generator::given));
  put_most_telling_first(cases, weights_of(""));
  EXPECT_EQ(cases.back().literal, "onnx-tile-13 u8[9] x i64{9}");
}

TEST(KeepFirst, KeepsWholeSequencesAndFillsUp) {
  std::vector<PlannedCase> cases{
      planned("onnx-tile-13 u8[1] x i64{2}", Generator::lengths),
      planned("onnx-tile-13 u8[2] x i64{2}", Generator::state),
      planned("onnx-tile-13 u8[3] x i64{2}", Generator::state, true),
      planned("onnx-tile-13 u8[4] x i64{2}", Generator::lengths),
      planned("onnx-tile-13 u8[5] x i64{2}", Generator::lengths),
      planned("onnx-tile-13 u8[6] x i64{2}", Generator::given),
  };
  keep_first(cases, 2);
  EXPECT_EQ(literals_of(cases),
            (std::vector<std::string>{"onnx-tile-13 u8[1] x i64{2}", "onnx-tile-13 u8[4] x i64{2}",
                                      "onnx-tile-13 u8[6] x i64{2}"}));
}

TEST(Weights, GiveAGeneratorWithoutALineTheMean) {
  const Weights weights = weights_of("# words\nlengths 30\nrandom 10 # more words\n\n");
  EXPECT_EQ(weights[Generator::lengths], 30U);
  EXPECT_EQ(weights[Generator::random], 10U);
  EXPECT_EQ(weights[Generator::state], 20U);
}

TEST(Weights, NameTheLineThatIsWrong) {
  for (const char* line :
       {"lengths", "lengths 0", "lengths -1", "lengths 1 2", "nothing 1", "lengths 1000001"}) {
    const auto read = parse_weights("random 1\n" + std::string(line) + "\n", "file");
    ASSERT_FALSE(read) << line;
    EXPECT_TRUE(read.error().what.starts_with("file:2: ")) << read.error().what;
  }
  EXPECT_FALSE(parse_weights("random 1\nrandom 1\n", "file"));
}

TEST(Weights, OfThisProgramHaveEveryGenerator) {
  for (std::size_t generator = 0; generator < generator_count; ++generator)
    EXPECT_GE(built_in_weights().of[generator], 1U);
}

TEST(Cells, DistinguishDefinitionsWidthsAndSizes) {
  const auto cell = [](const char* literal) { return cell_of(*parse_case(literal)); };
  EXPECT_EQ(cell("onnx-tile-13 u8[3] x i64{2}"), cell("onnx-tile-13 i8[5] x i64{7}"));
  EXPECT_EQ(cell("onnx-tile-13 u8[3] x i64{2}").width, 1);
  EXPECT_EQ(cell("onnx-tile-13 u4[3] x i64{2}").width, 0);
  EXPECT_EQ(cell("onnx-tile-13 c128[3] x i64{2}").width, 5);
  EXPECT_EQ(cell("onnx-tile-13 string[3] x i64{2}").width, 6);
  EXPECT_EQ(cell("onnx-tile-13 u8[3] x i64{-1}").size, 0);
  EXPECT_EQ(cell("onnx-tile-13 u8[3] x i64{0}").size, 1);
  EXPECT_EQ(cell("onnx-tile-13 u8[128] x i64{2}").size, 2);
  EXPECT_EQ(cell("onnx-tile-13 u8[129] x i64{2}").size, 3);
  EXPECT_EQ(cell("onnx-tile-13 f64[8193] x i64{1}").size, 4);
}

}  // namespace
}  // namespace certile::conformance
