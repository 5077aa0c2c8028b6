#include "conformance/plan/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "conformance/plan/corpus.hpp"

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

TEST(Order, KeepsEveryCase) {
  std::vector<PlannedCase> cases = of_two_generators(50);
  auto before = literals_of(cases);
  put_most_telling_first(cases);
  auto after = literals_of(cases);
  EXPECT_NE(before, after);
  std::ranges::sort(before);
  std::ranges::sort(after);
  EXPECT_EQ(before, after);
}

TEST(Order, DoesNotDependOnTheOrderBefore) {
  std::vector<PlannedCase> cases = of_two_generators(50), others = cases;
  std::ranges::reverse(others);
  put_most_telling_first(cases);
  put_most_telling_first(others);
  EXPECT_EQ(literals_of(cases), literals_of(others));
}

TEST(Order, HasGeneratorsInTurnAtEveryPlace) {
  std::vector<PlannedCase> cases = of_two_generators(200);
  put_most_telling_first(cases);
  for (const std::size_t end : {2U, 40U, 100U, 200U}) {
    const auto lengths = std::count_if(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(end),
                                       [](const auto& each) { return each.generator == Generator::lengths; });
    EXPECT_EQ(lengths, static_cast<std::ptrdiff_t>(end / 2)) << end;
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
  put_most_telling_first(cases);
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
  put_most_telling_first(cases);
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
  put_most_telling_first(cases);
  EXPECT_EQ(cases.front().literal, witness);
}

TEST(Order, HasCasesGivenByNameLast) {
  std::vector<PlannedCase> cases = of_two_generators(3);
  cases.insert(cases.begin(), planned("onnx-tile-13 u8[9] x i64{9}", Generator::given));
  put_most_telling_first(cases);
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

}  // namespace
}  // namespace certile::conformance
