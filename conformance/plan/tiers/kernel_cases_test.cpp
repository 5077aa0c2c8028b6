#include "conformance/plan/tiers/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/plan/tiers/generated_test.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

std::vector<Case> kernel_cases_of(const std::vector<DefinitionId>& definitions,
                                  const std::function<void(KernelCases&)>& generate) {
  const Claim claim = claim_of_everything();
  std::vector<Scope> scopes;
  for (const DefinitionId definition : definitions)
    scopes.emplace_back(definition, claim);
  Cases cases;
  KernelCases kernel(scopes, cases);
  generate(kernel);
  return questions_of(std::move(cases));
}

std::int64_t bits_of_output(const Case& question) {
  return *element_count(*oracle::output_shape(question)) * bits(question.data.type());
}

TEST(KernelCases, AsksEachDraftOnceAndOfEachDefinitionSome) {
  std::map<DefinitionId, int> met;
  const auto questions =
      kernel_cases_of({openvino_tile_1, onnx_tile_13, onnx_tile_6}, [](KernelCases& kernel) {
        for (std::int64_t length = 1; length <= 300; ++length)
          kernel.add(8, {.shape = {length}, .repeats = {2}});
      });
  EXPECT_EQ(questions.size(), 300U);
  for (const Case& question : questions)
    ++met[question.definition];
  ASSERT_EQ(met.size(), 3U);
  for (const auto& [definition, times] : met)
    EXPECT_GT(times, 60) << name(definition);
}

TEST(KernelCases, AsksADefinitionAloneEverythingThatItCanExpress) {
  const auto add = [](KernelCases& kernel) {
    for (std::int64_t length = 1; length <= 40; ++length) {
      kernel.add(32, {.shape = {length, 2}, .repeats = {2, 1}});
      kernel.add(32, {.shape = {length, 3}, .repeats = {2, 3}});
    }
  };
  EXPECT_EQ(kernel_cases_of({onnx_tile_13}, add).size(), 80U);
  EXPECT_EQ(kernel_cases_of({onnx_tile_1}, add).size(), 120U);  // a case for each repeated axis
}

TEST(KernelCases, AsksAWidthOnlyOfDefinitionsThatHaveIt) {
  const auto questions = kernel_cases_of({onnx_tile_13, openvino_tile_1}, [](KernelCases& kernel) {
    for (std::int64_t length = 1; length <= 50; ++length)
      kernel.add(4, {.shape = {length}, .repeats = {2}});
  });
  EXPECT_EQ(questions.size(), 50U);
  for (const Case& question : questions)
    EXPECT_EQ(question.definition, openvino_tile_1);
}

TEST(Thresholds, HaveALargerOutputThanEachPowerOfTwoInEveryWidthOfWholeBytes) {
  std::map<int, std::set<std::int64_t>> met;
  for (const Case& question : kernel_cases_of(
           {openvino_tile_1}, [](KernelCases& kernel) { add_thresholds(kernel, std::int64_t{1} << 24); })) {
    const std::int64_t bytes = bits_of_output(question) / 8;
    for (std::int64_t rung = 1 << 15; rung <= 1 << 24; rung *= 2)
      if (bytes > rung && bytes < 2 * rung) met[bits(question.data.type())].insert(rung);
  }
  for (const int width : {8, 32, 64})
    EXPECT_EQ(met[width].size(), 10U) << width;
  EXPECT_GE(met[16].size(), 6U);  // rarer widths up to 1 MiB
}

TEST(Thresholds, RepeatLargeInputs) {
  std::set<std::int64_t> met;
  for (const Case& question : kernel_cases_of(
           {onnx_tile_13}, [](KernelCases& kernel) { add_thresholds(kernel, std::int64_t{1} << 22); })) {
    const std::int64_t bytes = *element_count(question.data.shape()) * bits(question.data.type()) / 8;
    const bool is_repeated = bits_of_output(question) / 8 > bytes + bytes / 2;
    for (std::int64_t rung = 1 << 16; rung <= 1 << 22; rung *= 2)
      if (is_repeated && bytes > rung) met.insert(rung);
  }
  EXPECT_EQ(met.size(), 7U);
}

TEST(Thresholds, AskSpecialValuesOfEachWidthOfRealNumbersBeyondEachPowerOfTwo) {
  std::set<std::pair<int, std::int64_t>> met;
  for (const Case& question : kernel_cases_of(
           {onnx_tile_13}, [](KernelCases& kernel) { add_thresholds(kernel, std::int64_t{1} << 23); }))
    for (std::int64_t rung = 1 << 15; rung <= 1 << 23; rung *= 2)
      if (is_real(question.data.type()) && question.fill.kind == Fill::Kind::special &&
          bits_of_output(question) / 8 > rung && bits_of_output(question) / 8 < 2 * rung)
        met.insert({bits(question.data.type()), rung});
  for (const int width : {32, 64})
    for (std::int64_t rung = 1 << 15; rung <= 1 << 23; rung *= 2)
      EXPECT_TRUE(met.contains({width, rung})) << width << " bits beyond " << rung << " bytes";
}

TEST(Thresholds, RepeatPatternsOf32BytesIntoLargeOutputsThatBeginBetweenThem) {
  std::set<std::int64_t> met;
  for (const Case& question : kernel_cases_of(
           {onnx_tile_13}, [](KernelCases& kernel) { add_thresholds(kernel, std::int64_t{1} << 22); })) {
    const std::int64_t data = *element_count(question.data.shape()) * bits(question.data.type()) / 8;
    if (data == 32 && question.placement.output_offset.value_or(0) % 32 != 0)
      met.insert(bits_of_output(question) / 8);
  }
  for (std::int64_t bytes = 1 << 15; bytes <= 1 << 22; bytes *= 2)
    EXPECT_TRUE(met.contains(bytes)) << bytes;
}

TEST(LargeFills, FillMoreThan16BitsCountOf32ByteVectorsInEachOfFourPartsAndWidths) {
  std::set<int> widths;
  for (const Case& question : kernel_cases_of({onnx_tile_13}, add_large_fills))
    if (question.data.shape() == Shape{1} && bits_of_output(question) / 8 / 4 / 32 > 65'536)
      widths.insert(bits(question.data.type()));
  EXPECT_EQ(widths, (std::set<int>{8, 16, 32, 64}));
}

TEST(Products, PassEachPowerOfTwoWithoutALongDimensionOrRepeat) {
  std::set<int> powers;
  for (const Case& question : kernel_cases_of(
           {onnx_tile_13}, [](KernelCases& kernel) { add_products(kernel, std::int64_t{1} << 20); })) {
    std::int64_t copies = 1;
    for (const std::int64_t repeat : repeats_of(question)) {
      EXPECT_LT(repeat, 2000) << to_string(question);
      copies *= repeat;
    }
    for (const std::int64_t dimension : question.data.shape())
      EXPECT_LT(dimension, 2000) << to_string(question);
    for (const int power : {8, 15, 16, 20})
      if (copies > std::int64_t{1} << power && copies < std::int64_t{3} << power) powers.insert(power);
  }
  EXPECT_EQ(powers, (std::set{8, 15, 16, 20}));
}

TEST(Lengths, AreEveryNumberOfBytesAndOfElements) {
  std::map<int, std::set<std::int64_t>> met;
  for (const Case& question :
       kernel_cases_of({openvino_tile_1}, [](KernelCases& kernel) { add_lengths(kernel, Lengths::every); }))
    met[bits(question.data.type())].insert(question.data.shape().back());
  for (const auto& [width, lengths] : met)
    for (std::int64_t length = 1; length <= (width <= 8 ? 300 : 2400 / width); ++length)
      EXPECT_TRUE(lengths.contains(length)) << length << " elements of " << width << " bits";
}

TEST(Lengths, MeetEachSmallPeriodWithEachSmallCount) {
  std::set<std::pair<std::int64_t, std::int64_t>> met;
  for (const Case& question :
       kernel_cases_of({onnx_tile_13}, [](KernelCases& kernel) { add_lengths(kernel, Lengths::every); }))
    if (bits(question.data.type()) == 8)
      met.insert({question.data.shape().back(), repeats_of(question).back()});
  for (std::int64_t period = 1; period <= 16; ++period)
    for (std::int64_t copies = 2; copies <= 130; ++copies)
      EXPECT_TRUE(met.contains({period, copies})) << period << " bytes, " << copies << " times";
}

// Returns the number of axes that are left if every axis that can be merged with the next one is.
std::size_t axes_after_merging(const Shape& shape, const Shape& repeats) {
  std::vector<std::pair<std::int64_t, std::int64_t>> merged;  // dimension and repeat
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const auto [dimension, repeat] = std::pair(shape[axis], repeats[axis]);
    if (dimension == 1 && repeat == 1) continue;
    if (!merged.empty() && repeat == 1)
      merged.back().first *= dimension;
    else if (!merged.empty() && merged.back().first == 1)
      merged.back() = {dimension, merged.back().second * repeat};
    else
      merged.emplace_back(dimension, repeat);
  }
  return merged.size();
}

TEST(UnmergeableAxes, AreUpToAsManyAsAskedFor) {
  EXPECT_EQ(axes_after_merging({2, 2, 2, 2}, {2, 1, 2, 1}), 2U);
  std::set<std::size_t> met;
  for (const Case& question :
       kernel_cases_of({onnx_tile_13}, [](KernelCases& kernel) { add_unmergeable_axes(kernel, 13); }))
    met.insert(axes_after_merging(question.data.shape(), repeats_of(question)));
  EXPECT_EQ(met, (std::set<std::size_t>{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
}

TEST(UnmergeableAxes, OfWhichThereAreFewHaveMuchData) {
  for (const Case& question :
       kernel_cases_of({onnx_tile_13}, [](KernelCases& kernel) { add_unmergeable_axes(kernel, 13); })) {
    const bool are_few = axes_after_merging(question.data.shape(), repeats_of(question)) < 8;
    EXPECT_TRUE(!are_few || question.data.count() > 65'536) << to_string(question);
  }
}

TEST(AxisPatterns, AreEveryCombinationBehindWhichRowsOfALineAndMoreFollow) {
  std::set<std::vector<bool>> patterns;
  const auto questions = kernel_cases_of(
      {openvino_tile_1}, [](KernelCases& kernel) { add_axis_patterns(kernel, AxisPatterns::once); });
  for (const Case& question : questions) {
    const Shape& shape = question.data.shape();
    const auto repeats = repeats_of(question);
    std::vector<bool> pattern;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
      pattern.insert(pattern.end(), {shape[axis] > 1, repeats[axis] > 1});
    patterns.insert(pattern);
    EXPECT_GE(shape.back() * bits(question.data.type()), 64 * 8) << to_string(question);
  }
  EXPECT_EQ(patterns.size(), 64U + 256U);
}

// Each number of repeated axes, the place of the one that differs, and its dimension or that of the output.
using Divisor = std::tuple<std::size_t, bool, std::int64_t>;
struct Divided {
  std::set<Divisor> by_dimension, by_product;
};
Divided divided(Divisors wanted) {
  Divided found;
  for (const Case& question :
       kernel_cases_of({onnx_tile_13}, [wanted](KernelCases& kernel) { add_divisors(kernel, wanted); })) {
    const Shape& shape = question.data.shape();
    const auto repeats = repeats_of(question);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const bool is_innermost = axis + 1 == shape.size();
      found.by_dimension.insert({shape.size(), is_innermost, shape[axis]});
      found.by_product.insert({shape.size(), is_innermost, shape[axis] * repeats[axis]});
    }
  }
  return found;
}

TEST(Divisors, AreEachDimensionAndProductUpTo130InTwoPlacesOfTwoToSixAxes) {
  const Divided found = divided(Divisors::every);
  for (std::size_t axes = 2; axes <= 6; ++axes)
    for (std::int64_t number = 1; number <= 130; ++number)
      for (const bool is_innermost : {true, false}) {
        EXPECT_TRUE(found.by_dimension.contains({axes, is_innermost, number})) << axes << ", " << number;
        // One element that is not repeated is no repeated axis.
        if (number == 1) continue;
        EXPECT_TRUE(found.by_product.contains({axes, is_innermost, number})) << axes << ", " << number;
      }
}

TEST(Divisors, AreEachDimensionOfFiveAxesInTheShortestTier) {
  const Divided found = divided(Divisors::of_five_axes);
  for (std::int64_t number = 1; number <= 130; ++number)
    for (const bool is_innermost : {true, false})
      EXPECT_TRUE(found.by_dimension.contains({5, is_innermost, number})) << number;
}

TEST(ConcurrentRegimes, AreFirstCallsOfSixteenThreadsAndManyMore) {
  std::map<int, int> met;
  for (const Case& question : kernel_cases_of({openvino_tile_1}, add_concurrent_regimes))
    ++met[question.placement.threads];
  EXPECT_EQ(met, (std::map<int, int>{{3, 6}, {16, 6}, {17, 1}, {33, 1}, {64, 1}}));
}

TEST(LargeConcurrent, DivideByNoNumberOfThreadsAndAreMoreThanSixteen) {
  const auto one = kernel_cases_of(
      {openvino_tile_1}, [](KernelCases& kernel) { add_large_concurrent(kernel, LargeConcurrent::one); });
  ASSERT_EQ(one.size(), 1U);
  EXPECT_GT(bits_of_output(one.front()), std::int64_t{8} << 18);
  EXPECT_EQ(one.front().data.shape().front() % 4, 3);
  const auto several = kernel_cases_of(
      {openvino_tile_1}, [](KernelCases& kernel) { add_large_concurrent(kernel, LargeConcurrent::several); });
  EXPECT_TRUE(std::ranges::any_of(several, [](const Case& each) { return each.placement.threads > 16; }));
}

TEST(MixedSizes, HaveEverySizeAndEveryNumberOfAxesAndStayBelowTheLargest) {
  constexpr MixedSizes wanted{.count = 200, .least = 256, .most = std::int64_t{1} << 20};
  std::set<int> powers;
  std::set<std::size_t> axes;
  std::set<bool> addresses;
  for (const Case& question : kernel_cases_of(
           {onnx_tile_13, openvino_tile_1}, [&](KernelCases& kernel) { add_mixed_sizes(kernel, wanted); })) {
    const std::int64_t bytes = bits_of_output(question) / 8;
    EXPECT_LE(bytes, wanted.most * 5 / 4) << to_string(question);
    if (bytes > 0) powers.insert(std::countr_zero(std::bit_floor(static_cast<std::uint64_t>(bytes))));
    axes.insert(axes_after_merging(question.data.shape(), repeats_of(question)));
    addresses.insert(question.placement.chooses_addresses());
  }
  for (int power = 8; power <= 19; ++power)
    EXPECT_TRUE(powers.contains(power)) << power;
  EXPECT_GE(axes.size(), 4U);
  EXPECT_EQ(addresses.size(), 2U);
}

TEST(Alignments, OfDataAndOutputAreEveryPairForBytes) {
  std::set<std::pair<int, int>> met;
  for (const Case& question :
       kernel_cases_of({onnx_tile_13}, [](KernelCases& kernel) { add_alignments(kernel, Lengths::every); }))
    if (bits(question.data.type()) == 8)
      met.insert({question.placement.offset, question.placement.output_offset.value_or(-1)});
  EXPECT_EQ(met.size(), 64U * 63U);
}

}  // namespace
}  // namespace certile::conformance
