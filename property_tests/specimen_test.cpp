#include "property_tests/specimen.hpp"
#include "reference/values/definitions_test.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace certile::property_tests {
namespace {

// Literals of the first cases of a seed, in the order in which sizes grow.
std::vector<std::string> drawn(std::uint64_t seed, int count) {
  const Specimens specimens(claim_of_everything());
  Random random(seed);
  std::vector<std::string> literals;
  for (int number = 0; number < count; ++number)
    literals.push_back(to_string(specimens.draw(random, number % 101).question));
  return literals;
}

TEST(Specimens, AreTheSameForTheSameSeed) {
  EXPECT_EQ(drawn(7, 200), drawn(7, 200));
  EXPECT_NE(drawn(7, 200), drawn(8, 200));
}

TEST(Specimens, ReadBackFromTheirLiterals) {
  for (const std::string& literal : drawn(1, 2000)) {
    const auto question = parse_case(literal);
    ASSERT_TRUE(question) << literal << ": " << question.error().what;
    EXPECT_EQ(to_string(*question), literal);
  }
}

TEST(Specimens, VaryEverythingThatALiteralCanSay) {
  std::set<DefinitionId> definitions;
  std::set<ElementType> types;
  std::set<std::size_t> ranks;
  std::set<Fill::Kind> fills;
  std::set<std::string> placements;
  for (const std::string& literal : drawn(1, 5000)) {
    const Case question = *parse_case(literal);
    definitions.insert(question.definition);
    types.insert(question.data.type());
    ranks.insert(question.data.shape().size());
    fills.insert(question.fill.kind);
    const std::string place = literal.substr(std::min(literal.find('@'), literal.size()));
    placements.insert(place.substr(0, place.find_first_of("=,")));
  }
  EXPECT_EQ(definitions.size(), all_definitions().size());
  EXPECT_EQ(types.size(), static_cast<std::size_t>(element_type_count));
  EXPECT_EQ(ranks.size(), 9U);
  EXPECT_EQ(fills.size(), 3U);
  EXPECT_EQ(placements, (std::set<std::string>{"", "@guard", "@infer", "@offset", "@output", "@threads"}));
}

// Goes on to the simplest of the simpler ones, or to the last: some way down in any case.
int steps_to_the_end(const Specimens& specimens, Specimen specimen, bool first) {
  int steps = 0;
  for (;;) {
    std::vector<Specimen> simpler = specimens.simpler(specimen);
    if (simpler.empty()) return steps;
    for (const Specimen& each : simpler)
      EXPECT_TRUE(parse_case(to_string(each.question))) << to_string(each.question);
    specimen = first ? simpler.front() : simpler.back();
    if (++steps > 10'000) return steps;
  }
}

TEST(Specimens, BecomeNoSimplerForEver) {
  const Specimens specimens(claim_of_everything());
  Random random(3);
  for (int number = 0; number < 100; ++number) {
    const Specimen specimen = specimens.draw(random, 100);
    EXPECT_LT(steps_to_the_end(specimens, specimen, true), 10'000) << to_string(specimen.question);
    EXPECT_LT(steps_to_the_end(specimens, specimen, false), 10'000) << to_string(specimen.question);
  }
}

TEST(Specimens, EndAtAScalarOfTheFirstOperator) {
  const Specimens specimens(claim_of_everything());
  Random random(3);
  for (int number = 0; number < 100; ++number) {
    Specimen specimen = specimens.draw(random, 100);
    for (auto simpler = specimens.simpler(specimen); !simpler.empty(); simpler = specimens.simpler(specimen))
      specimen = simpler.front();
    EXPECT_EQ(to_string(specimen.question), "openvino-tile-1 u8[] x i64{}");
  }
}

TEST(Specimens, StayInsideANarrowClaim) {
  backends::Claim claim;
  claim.definitions = {onnx_tile_13};
  claim.types = {ElementType::f32, ElementType::string};
  claim.repeats_types = {ElementType::i64};
  claim.max_rank = 2;
  const Specimens specimens(claim);
  Random random(5);
  for (int number = 0; number < 200; ++number) {
    const Specimen specimen = specimens.draw(random, 50);
    for (const Specimen& each : specimens.simpler(specimen)) {
      const std::string literal = to_string(each.question);
      EXPECT_EQ(each.question.definition, onnx_tile_13) << literal;
      EXPECT_LE(each.question.data.shape().size(), 2U) << literal;
      EXPECT_TRUE(each.question.data.type() == ElementType::f32 ||
                  each.question.data.type() == ElementType::string)
          << literal;
    }
  }
}

}  // namespace
}  // namespace certile::property_tests
