#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/plan/tiers/generated_test.hpp"
#include "reference/values/definitions_test.hpp"

// Tests of the generators of sequences of calls, and of contents.
namespace certile::conformance {
namespace {

TEST(State, ComesBackToTheFirstCallAfterEachOther) {
  const auto questions = generated(openvino_tile_1, add_state);
  ASSERT_GE(questions.size(), 6U);
  EXPECT_EQ(questions[0].repeats, questions[2].repeats);
  EXPECT_EQ(questions[0].data, questions[2].data);
  EXPECT_NE(questions[0].repeats, questions[1].repeats);
}

TEST(State, AsksForOtherDataAndOtherRepeatsAtTheSameAddresses) {
  const auto questions = generated(onnx_tile_13, add_state);
  bool other_data = false, other_repeats = false;
  for (std::size_t index = 1; index < questions.size(); ++index) {
    const Case &before = questions[index - 1], &here = questions[index];
    if (here.placement.guard != Placement::Guard::after || before.placement != here.placement) continue;
    if (before.data != here.data) continue;
    (before.repeats == here.repeats ? other_data : other_repeats) |= before.fill != here.fill;
  }
  EXPECT_TRUE(other_data);
  EXPECT_TRUE(other_repeats);
}

TEST(Walks, ComeBackToTheCallAfterEachNeighbour) {
  const auto calls = generated(onnx_tile_13, add_walks);
  ASSERT_GT(calls.size(), 200U);
  int returns = 0;
  for (std::size_t index = 2; index < calls.size(); ++index) {
    const auto is_call = [&](std::size_t at) {
      return calls[at].data.shape() == calls[index].data.shape() &&
             calls[at].data.type() == calls[index].data.type() &&
             repeats_of(calls[at]) == repeats_of(calls[index]) &&
             calls[at].placement == calls[index].placement;
    };
    if (is_call(index - 2) && !is_call(index - 1)) ++returns;
  }
  EXPECT_GT(returns, 150);
}

TEST(Walks, HavePairsOfCallsWithOneHash) {
  std::map<std::uint64_t, std::set<std::vector<std::int64_t>>> numbers_by_hash;
  for (const Case& question : generated(onnx_tile_13, add_walks)) {
    std::vector<std::int64_t> numbers = question.data.shape();
    for (const std::int64_t repeat : repeats_of(question))
      numbers.push_back(repeat);
    std::uint64_t hash = numbers.size();
    for (const std::int64_t number : numbers)
      hash = hash * 31 + static_cast<std::uint64_t>(number);
    numbers_by_hash[hash].insert(numbers);
  }
  EXPECT_GT(std::ranges::count_if(numbers_by_hash, [](const auto& each) { return each.second.size() > 1; }),
            2);
}

TEST(Walks, AskTheSameCallOfAnotherDefinition) {
  Cases cases;
  const Claim claim = claim_of_everything();
  const std::vector<Scope> scopes{{openvino_tile_1, claim}, {onnx_tile_13, claim}, {onnx_tile_1, claim}};
  add_changes_of_definition(scopes, cases);
  const auto planned = std::move(cases).take();
  int changes = 0;
  for (std::size_t index = 1; index < planned.size(); ++index) {
    if (!planned[index].follows) continue;
    const Case before = planned[index - 1].question(), question = planned[index].question();
    EXPECT_NE(before.definition, question.definition) << planned[index].literal;
    EXPECT_EQ(before.data.shape(), question.data.shape()) << planned[index].literal;
    EXPECT_EQ(before.repeats, question.repeats) << planned[index].literal;
    ++changes;
  }
  EXPECT_GT(changes, 40);
}

TEST(ChangesOfDefinition, AskAfterATypeThatTheOtherRefuses) {
  Cases cases;
  const std::vector<Scope> scopes{Scope(onnx_tile_6, claim_of_everything()),
                                  Scope(onnx_tile_13, claim_of_everything())};
  add_changes_of_definition(scopes, cases);
  const auto planned = std::move(cases).take();
  const bool refuses_bf16 = std::ranges::any_of(planned, [](const PlannedCase& each) {
    const Case question = each.question();
    return each.follows && question.definition == onnx_tile_6 && question.data.type() == ElementType::bf16;
  });
  EXPECT_TRUE(refuses_bf16);
}

TEST(Contents, AreAlikeInOneHalfAlone) {
  std::set<std::array<bool, 2>> alike;
  for (const Case& question : generated(onnx_tile_13, add_contents)) {
    const Tensor& data = question.data;
    if (data.type() != ElementType::c128 || data.shape() != Shape{3, 1}) continue;
    const Tensor::Bits first = data.element(0), second = data.element(1);
    if (!(first == second)) alike.insert({first.low == second.low, first.high == second.high});
  }
  EXPECT_TRUE(alike.contains({true, false}) && alike.contains({false, true}));
}

TEST(Walks, ExchangeTheNumbersOfNeighboursAmongManyAxes) {
  const auto calls = generated(onnx_tile_13, add_walks);
  std::set<std::size_t> ranks;
  for (std::size_t index = 1; index < calls.size(); ++index) {
    Shape before = calls[index - 1].data.shape(), now = calls[index].data.shape();
    if (before == now) continue;
    std::ranges::sort(before);
    std::ranges::sort(now);
    if (before == now) ranks.insert(now.size());
  }
  EXPECT_TRUE(std::ranges::includes(ranks, std::set<std::size_t>{9, 17, 33}));
}

TEST(Walks, ExchangeTheLastRepeatsOfManyAxes) {
  const auto calls = generated(onnx_tile_13, add_walks);
  std::set<std::size_t> ranks;
  for (std::size_t index = 1; index < calls.size(); ++index) {
    std::vector<std::int64_t> before = repeats_of(calls[index - 1]), now = repeats_of(calls[index]);
    if (calls[index - 1].data.shape() != calls[index].data.shape() || before == now || now.size() < 9)
      continue;
    std::swap(before[before.size() - 2], before.back());
    if (before == now) ranks.insert(now.size());
  }
  for (std::size_t rank = 9; rank <= 16; ++rank)
    EXPECT_TRUE(ranks.contains(rank)) << rank;
}

TEST(ClaimBoundary, AsksForARefusedTypeAfterTheSameCallOfItsWidth) {
  Cases cases;
  const Scope scope(onnx_tile_6, claim_of_everything());
  Sink sink(scope, cases);
  add_claim_boundary(sink);
  const auto planned = std::move(cases).take();
  std::set<ElementType> of_data, of_repeats;
  for (std::size_t index = 1; index < planned.size(); ++index) {
    if (!planned[index].follows) continue;
    const Case before = planned[index - 1].question(), now = planned[index].question();
    EXPECT_EQ(before.data.shape(), now.data.shape()) << planned[index].literal;
    EXPECT_EQ(bits(before.data.type()), bits(now.data.type())) << planned[index].literal;
    if (is_integer(now.repeats.type())) {
      EXPECT_EQ(repeats_of(before), repeats_of(now)) << planned[index].literal;
    }
    EXPECT_TRUE(scope.in_text(before.data.type())) << planned[index - 1].literal;
    if (before.data.type() != now.data.type()) of_data.insert(now.data.type());
    if (before.repeats.type() != now.repeats.type()) of_repeats.insert(now.repeats.type());
  }
  EXPECT_TRUE(of_data.contains(ElementType::bf16) && of_data.contains(ElementType::f8e4m3));
  EXPECT_TRUE(of_repeats.contains(ElementType::u64) && of_repeats.contains(ElementType::i32));
}

TEST(Contents, HaveElementsWhoseHalvesAreAlikeAndBytesAreNot) {
  std::set<int> widths;
  for (const Case& question : generated(onnx_tile_13, add_contents)) {
    const int width = bits(question.data.type());
    if (question.data.type() == ElementType::string || width > 64 || question.data.bytes().empty()) continue;
    const std::uint64_t element = question.data.element(0).low;
    const std::uint64_t half = (std::uint64_t{1} << width / 2) - 1;
    const bool is_alike = element >> width / 2 == (element & half);
    if (width > 16 && is_alike && (element & 0xff) != (element >> 8 & 0xff)) widths.insert(width);
  }
  EXPECT_EQ(widths, (std::set<int>{32, 64}));
}

TEST(Contents, DifferFromTheCallBeforeInOnePlace) {
  Cases cases;
  const Scope scope(onnx_tile_13, claim_of_everything());
  Sink sink(scope, cases);
  add_contents(sink);
  const auto planned = std::move(cases).take();
  std::set<std::int64_t> places;
  for (std::size_t index = 1; index < planned.size(); ++index) {
    if (!planned[index].follows) continue;
    const Tensor before = planned[index - 1].question().data, now = planned[index].question().data;
    ASSERT_EQ(before.shape(), now.shape()) << planned[index].literal;
    if (now.type() == ElementType::string) continue;
    for (std::int64_t place = 0; place < now.count(); ++place)
      if (before.element(place) != now.element(place)) places.insert(place);
  }
  for (const std::int64_t place : {0, 100, 101, 500, 999, 1000})
    EXPECT_TRUE(places.contains(place)) << place;
}

std::vector<std::int64_t> numbers_of(const Case& question) {
  std::vector<std::int64_t> numbers = question.data.shape();
  std::ranges::copy(repeats_of(question), std::back_inserter(numbers));
  return numbers;
}

TEST(Walks, DivideTheSameNumbersOtherwiseIntoDimensionsAndRepeats) {
  const auto calls = generated(openvino_tile_1, add_walks);
  int divided_otherwise = 0;
  for (std::size_t index = 1; index < calls.size(); ++index)
    if (calls[index].data.shape() != calls[index - 1].data.shape() &&
        numbers_of(calls[index]) == numbers_of(calls[index - 1]))
      ++divided_otherwise;
  EXPECT_GT(divided_otherwise, 20);
}

TEST(Walks, AskEachTypeAfterEachOtherOfItsSize) {
  std::set<std::array<ElementType, 2>> pairs;
  const auto calls = generated(openvino_tile_1, add_walks);
  for (std::size_t index = 1; index < calls.size(); ++index)
    if (calls[index].data.shape() == Shape{3} && calls[index - 1].data.shape() == Shape{3})
      pairs.insert({calls[index - 1].data.type(), calls[index].data.type()});
  for (const std::array<ElementType, 2> pair :
       {std::array{ElementType::u4, ElementType::nf4}, std::array{ElementType::boolean, ElementType::f8e4m3},
        std::array{ElementType::f32, ElementType::i32}, std::array{ElementType::f64, ElementType::u64}})
    EXPECT_TRUE(pairs.contains(pair)) << name(pair[0]) << " before " << name(pair[1]);
  const auto of_onnx = generated(onnx_tile_13, add_walks);
  const auto is_after_a_string = [&](const Case& question) {
    return question.data.type() == ElementType::c128 && !question.data.bytes().empty() &&
           (&question - 1)->data.type() == ElementType::string;
  };
  EXPECT_TRUE(std::ranges::any_of(of_onnx.begin() + 1, of_onnx.end(), is_after_a_string));
}

TEST(Contents, AreZerosButForOneElementBehindTheLastWholeVector) {
  const auto is_one = [](const Case& question) {
    const Tensor& data = question.data;
    if (bits(data.type()) != 8 || data.bytes().size() < 33 || data.bytes().size() % 16 == 0) return false;
    const auto zeros = std::ranges::count(data.bytes(), std::byte{0});
    return zeros + 1 == std::ssize(data.bytes()) && data.bytes().back() != std::byte{0};
  };
  EXPECT_TRUE(std::ranges::any_of(generated(onnx_tile_13, add_contents), is_one) ||
              std::ranges::any_of(generated(openvino_tile_1, add_contents), is_one));
}

TEST(Contents, AreZerosOfBothSignsInEveryTypeThatHasThem) {
  std::set<ElementType> types;
  for (const Case& question : generated(openvino_tile_1, add_contents)) {
    const Tensor& data = question.data;
    if (!float_format(data.type()) || data.bytes().empty()) continue;
    std::set<std::uint64_t> elements;
    for (std::int64_t index = 0; index < data.count(); ++index)
      elements.insert(data.element(index).low);
    if (elements == std::set{std::uint64_t{0}, std::uint64_t{1} << (bits(data.type()) - 1)})
      types.insert(data.type());
  }
  EXPECT_EQ(types, (std::set{ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64,
                             ElementType::f8e4m3, ElementType::f8e5m2, ElementType::f4e2m1}));
}

}  // namespace
}  // namespace certile::conformance
