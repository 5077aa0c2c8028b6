#include "conformance/plan/tiers/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/plan/tiers/generated_test.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

void add_core_shapes(Sink& sink) {
  add_small_shapes(sink, 3, false);
}

// 85 = 1 + 4 + 16 + 64 vectors of length 0 to 3 with entries 0 to 3.
constexpr std::size_t pairs_of_shapes = 85 * 85;

TEST(SmallShapes, ArePairsOfEveryShapeAndRepeatsForEachWidth) {
  EXPECT_EQ(generated(openvino_tile_1, add_core_shapes).size(),
            10 * pairs_of_shapes);  // 1 2 3 4 6 8 16 32 64, strings
  EXPECT_EQ(generated(onnx_tile_13, add_core_shapes).size(), 6 * pairs_of_shapes);  // 8 16 32 64 128, strings
  EXPECT_EQ(generated(onnx_tile_6, add_core_shapes).size(), 6 * pairs_of_shapes);
}

TEST(SmallShapes, OfOnnxTile1AreEveryShapeWithEveryAxisAndOneBeyond) {
  // for each of 4^rank shapes: 4 tiles, 2 * rank + 2 axes; widths 16, 32, 64
  EXPECT_EQ(generated(onnx_tile_1, add_core_shapes).size(),
            3U * (1 * 4 * 2 + 4 * 4 * 4 + 16 * 4 * 6 + 64 * 4 * 8));
}

TEST(SmallShapes, OfRankFourAre341Squared) {
  EXPECT_EQ(generated(onnx_tile_13, [](Sink& sink) { add_small_shapes(sink, 4, true); }).size(), 341U * 341U);
}

TEST(SmallShapes, MeetEachTypeWithEachRepeatOfTheLastAxis) {
  std::set<std::pair<ElementType, std::int64_t>> met;
  for (const Case& question : generated(onnx_tile_13, add_core_shapes))
    if (question.repeats.count() > 0) met.insert({question.data.type(), repeats_of(question).back()});
  EXPECT_EQ(met.size(), 16U * 4U);
}

TEST(SizeLadder, HasEveryRowLengthForEveryWidth) {
  std::map<int, std::set<std::int64_t>> lengths;
  for (const Case& question :
       generated(openvino_tile_1, [](Sink& sink) { add_size_ladder(sink, Ladder::whole); }))
    if (question.data.type() != ElementType::string)
      lengths[bits(question.data.type())].insert(question.data.shape().back());
  ASSERT_EQ(lengths.size(), 9U);
  for (const auto& [width, rows] : lengths)
    for (const std::int64_t row :
         {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 192, 255, 257})
      EXPECT_TRUE(rows.contains(row)) << row << " elements of " << width << " bits";
}

TEST(Counts, ReachEveryCountAroundTheEndsOfCounters) {
  std::set<std::int64_t> counts;
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) { add_counts(sink, 65537); }))
    for (const std::int64_t repeat : repeats_of(question))
      counts.insert(repeat);
  for (const std::int64_t count : {2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 65535, 65536, 65537})
    EXPECT_TRUE(counts.contains(count)) << count;
}

TEST(Ranks, RepeatOneTwoAndThreeAxesAtEveryRank) {
  std::set<std::pair<std::size_t, std::ptrdiff_t>> met;
  for (const Case& question : generated(openvino_tile_1, [](Sink& sink) { add_ranks(sink, 10); })) {
    const auto repeats = repeats_of(question);
    const auto ones = std::ranges::count(repeats, 1);
    met.insert({question.data.shape().size(), std::ssize(repeats) - ones});
  }
  for (std::size_t rank = 0; rank <= 10; ++rank)
    for (std::size_t repeated = 0; repeated <= std::min<std::size_t>(rank, 3); ++repeated)
      EXPECT_TRUE(met.contains({rank, static_cast<std::ptrdiff_t>(repeated)})) << rank << ", " << repeated;
}

TEST(Ranks, RepeatThreeAxesOfWhichNoneIsBesideAnother) {
  int met = 0;
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) { add_ranks(sink, 6); })) {
    std::vector<std::size_t> repeated;
    const auto repeats = repeats_of(question);
    for (std::size_t axis = 0; axis < repeats.size(); ++axis)
      if (repeats[axis] != 1) repeated.push_back(axis);
    met += repeated.size() == 3 && repeated[0] + 1 < repeated[1] && repeated[1] + 1 < repeated[2] ? 1 : 0;
  }
  EXPECT_EQ(met, 2);  // of ranks 5 and 6
}

TEST(HighRanks, GoToSixtyFourAxes) {
  std::set<std::size_t> ranks;
  for (const Case& question : generated(onnx_tile_13, add_high_ranks))
    ranks.insert(question.data.shape().size());
  EXPECT_TRUE(ranks.contains(17) && ranks.contains(33) && ranks.contains(64));
}

TEST(HighRanks, RepeatEveryAxisAsFarAsElementsCanBeCounted) {
  std::set<std::size_t> ranks;
  for (const Case& question : generated(onnx_tile_13, add_high_ranks)) {
    const auto repeats = repeats_of(question);
    if (std::ranges::count(repeats, 2) == std::ssize(repeats)) ranks.insert(repeats.size());
  }
  EXPECT_EQ(ranks, (std::set<std::size_t>{15, 16, 17, 31, 32, 33}));
}

TEST(Refusals, HaveMoreRepeatsThanAByteCountsWhereThereMustBeOneForEachAxis) {
  const auto has_many = [](const Case& question) { return question.repeats.count() == 258; };
  EXPECT_TRUE(std::ranges::any_of(generated(onnx_tile_13, add_refusals), has_many));
  EXPECT_FALSE(std::ranges::any_of(generated(openvino_tile_1, add_refusals), has_many));
}

TEST(Overflows, RefuseTheFirstRealNumberBeyondI64AsTilesOfEmptyDataAndAcceptTheOneBefore) {
  std::set<std::pair<ElementType, bool>> met;
  for (const Case& question : generated(onnx_tile_1, add_overflows)) {
    if (!is_real(question.repeats.type()) || question.data.shape() != Shape{1, 0}) continue;
    const auto expected = expect(question);
    ASSERT_TRUE(expected) << to_string(question);
    met.insert({question.repeats.type(), std::holds_alternative<Reject>(*expected)});
  }
  using enum ElementType;
  EXPECT_EQ(met,
            (std::set<std::pair<ElementType, bool>>{{f32, false}, {f32, true}, {f64, false}, {f64, true}}));
}

TEST(ManyCharacters, AreInMoreStringsThan16BitsCountBothMoreAndFewerThanAMebibyte) {
  std::set<bool> have_few;
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) { add_many_characters(sink); })) {
    if (*element_count(question.data.shape()) <= 65'536) continue;
    const Tensor data = make_filled(onnx_tile_13, ElementType::string, question.data.shape(), question.fill);
    std::size_t characters = 0;
    for (std::int64_t index = 0; index < data.count(); ++index)
      characters += data.string_element(index).size();
    have_few.insert(characters < std::size_t{1} << 20);
  }
  EXPECT_EQ(have_few, (std::set{false, true}));
}

TEST(Blocks, RepeatSeveralLongAxesInEveryWidth) {
  std::set<int> widths;
  for (const Case& question : generated(openvino_tile_1, [](Sink& sink) { add_blocks(sink, 4); }))
    if (question.data.shape() == Shape{16, 64}) widths.insert(bits(question.data.type()));
  EXPECT_TRUE(std::ranges::includes(widths, std::set{1, 2, 3, 4, 6, 8, 16, 32, 64}));
}

TEST(RefusalsOfHighRanks, AreDueToTheLastRepeatTheCountOrOneDimension) {
  std::set<std::string> clauses;
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) {
         add_refusals_of_high_ranks(sink, {5, 9, 64});
       })) {
    EXPECT_GE(question.repeats.count(), 5);
    const auto expected = expect(question);
    ASSERT_TRUE(expected) << to_string(question);
    ASSERT_TRUE(std::holds_alternative<Reject>(*expected)) << to_string(question);
    clauses.emplace(text_of(std::get<Reject>(*expected).clause));
  }
  EXPECT_EQ(clauses, (std::set<std::string>{"ONNX-T13-I3", "ONNX-T13-X3", "ONNX-T13-X4", "ONNX-T13-X6"}));
}

TEST(Promotions, PairEveryRankWithEveryLength) {
  std::set<std::pair<std::size_t, std::size_t>> met;
  for (const Case& question : generated(openvino_tile_1, [](Sink& sink) { add_promotions(sink, 10); }))
    met.insert({question.data.shape().size(), static_cast<std::size_t>(question.repeats.count())});
  EXPECT_EQ(met.size(), 11U * 10U);
}

TEST(Placements, AreOnBothSidesOfAPageAndAtOddAddresses) {
  for (const auto& [type, least] : std::map<ElementType, int>{
           {ElementType::u8, 1}, {ElementType::u4, 1}, {ElementType::f64, 8}, {ElementType::string, 16}}) {
    std::set<Placement::Guard> guards;
    std::set<int> offsets;
    for (const Case& question :
         generated(openvino_tile_1, [](Sink& sink) { add_placements(sink, Placements::some); }))
      if (question.data.type() == type) {
        guards.insert(question.placement.guard);
        offsets.insert(question.placement.offset);
      }
    EXPECT_EQ(guards.size(), 3U) << name(type);
    offsets.erase(0);
    ASSERT_FALSE(offsets.empty()) << name(type);
    EXPECT_EQ(*offsets.begin(), least) << name(type);
  }
}

TEST(PromotedProducts, PassPowersOfTwoWhereADefinitionPromotes) {
  EXPECT_TRUE(generated(onnx_tile_13, add_promoted_products).empty());
  std::int64_t most = 0;
  for (const Case& question : generated(openvino_tile_1, add_promoted_products)) {
    std::int64_t copies = 1;
    for (const std::int64_t repeat : repeats_of(question)) {
      EXPECT_LT(repeat, 65'536);
      copies *= repeat;
    }
    most = std::max(most, copies);
  }
  EXPECT_GT(most, 65'536);
}

TEST(Overflows, OnlyAskForShapes) {
  for (const DefinitionId definition : all_definitions())
    for (const Case& question : generated(definition, add_overflows))
      EXPECT_TRUE(question.placement.shape_only) << to_string(question);
}

TEST(OverflowingProducts, AreDividedBetweenAxesOfTheDataAndOfTheRepeats) {
  bool has_new_axes = false, has_longer_data = false;
  for (const Case& question : generated(openvino_tile_1, add_overflowing_products)) {
    EXPECT_TRUE(question.placement.shape_only) << to_string(question);
    has_new_axes |= question.data.shape() == Shape{1} && question.repeats.count() == 3;
    has_longer_data |= std::ssize(question.data.shape()) > question.repeats.count();
  }
  EXPECT_TRUE(has_new_axes && has_longer_data);
  for (const Case& question : generated(onnx_tile_1, add_overflowing_products))
    EXPECT_TRUE(question.placement.shape_only && question.repeats.count() == 1) << to_string(question);
}

TEST(LargeNarrowRepeats, HaveTheHighestBitAtEitherEndAndBetween) {
  std::set<std::size_t> places;
  const auto questions = generated(openvino_tile_1, [](Sink& sink) { add_large_narrow_repeats(sink, {4}); });
  for (const Case& question : questions) {
    const auto repeats = repeats_of(question);
    if (question.repeats.type() != ElementType::u16) continue;
    const auto large = std::ranges::find(repeats, 32768);
    ASSERT_NE(large, repeats.end()) << to_string(question);
    places.insert(static_cast<std::size_t>(large - repeats.begin()));
  }
  EXPECT_EQ(places, (std::set<std::size_t>{0, 2, 3}));
  EXPECT_TRUE(generated(onnx_tile_13, [](Sink& sink) { add_large_narrow_repeats(sink, {4}); }).empty());
}

TEST(LargeNarrowRepeats, OfThirtyTwoBitsAskForTheShapeAlone) {
  std::set<std::string> repeats;
  for (const Case& question :
       generated(openvino_tile_1, [](Sink& sink) { add_large_narrow_repeats(sink, {4}); }))
    if (question.repeats.type() == ElementType::u32 && question.placement.shape_only)
      repeats.insert(to_string(question.repeats));
  EXPECT_EQ(repeats, (std::set<std::string>{"u32{2147483648,1,1,1}", "u32{1,1,2147483648,1}",
                                            "u32{1,1,1,2147483648}"}));
}

TEST(RandomCases, AreTheSameForTheSameSeed) {
  const auto draw = [](Sink& sink) { add_random(sink, {.count = 300, .seed = 7}); };
  const auto first = generated(openvino_tile_1, draw);
  EXPECT_EQ(first.size(), 300U);
  EXPECT_EQ(first, generated(openvino_tile_1, draw));
}

TEST(RandomCases, AreOthersForAnotherSeed) {
  EXPECT_NE(generated(onnx_tile_13, [](Sink& sink) { add_random(sink, {.count = 9, .seed = 7}); }),
            generated(onnx_tile_13, [](Sink& sink) { add_random(sink, {.count = 9, .seed = 8}); }));
}

TEST(RandomCases, HaveThreadsWhereTheyAreWanted) {
  int concurrent = 0;
  for (const Case& question : generated(
           onnx_tile_13, [](Sink& sink) { add_random(sink, {.count = 3000, .seed = 1, .threads = true}); }))
    concurrent += question.placement.threads > 1 ? 1 : 0;
  EXPECT_GT(concurrent, 0);
  EXPECT_LT(concurrent, 50);
}

TEST(Types, HaveDataThatAreAllZeroAndAllNegativeZeroInBlocksOfFourKibibytes) {
  std::set<std::pair<ElementType, std::uint64_t>> met;
  for (const Case& question : generated(onnx_tile_13, add_types))
    if (question.fill.kind == Fill::Kind::zero &&
        *element_count(question.data.shape()) * bits(question.data.type()) / 8 >= 4096)
      met.insert({question.data.type(), question.fill.seed});
  for (const ElementType type : {ElementType::u8, ElementType::f16, ElementType::f32, ElementType::c64})
    EXPECT_TRUE(met.contains({type, 0})) << name(type);
  for (const ElementType type : {ElementType::f16, ElementType::f32, ElementType::c64})
    EXPECT_TRUE(met.contains({type, 1})) << name(type);
}

TEST(Soaks, WriteNothingAndWhatAPoolOfThreadsIsFor) {
  std::set<std::int64_t> met;
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) { add_soaks(sink, 120'000, false); })) {
    std::int64_t copies = 1;
    for (const std::int64_t repeat : repeats_of(question))
      copies = repeat > 6 || copies > 6 ? 7 : copies * repeat;  // more than 6 are too many, however many
    if (copies <= 6)
      met.insert(*element_count(question.data.shape()) * copies * bits(question.data.type()) / 8);
  }
  for (const std::int64_t bytes : {0, 1 << 16, 1 << 21})
    EXPECT_TRUE(met.contains(bytes)) << bytes;
}

TEST(Threads, OfTheShortestTierAreFirstCallsOfStringsAndOfARefusalToo) {
  std::set<std::string> met;
  for (const Case& question : generated(onnx_tile_1, add_few_threads))
    met.insert(to_string(question));
  for (const Case& question : generated(onnx_tile_13, add_few_threads))
    met.insert(to_string(question));
  EXPECT_TRUE(met.contains("onnx-tile-13 string[7,33] x i64{2,3} @threads=16"));
  EXPECT_TRUE(met.contains("onnx-tile-13 boolean[3,2] x i64{4611686018427387904,2} @threads=16"));
  EXPECT_TRUE(met.contains("onnx-tile-1 f16[3,2] x i64[]{4611686018427387904} along i64[]{0} @threads=16"));
}

TEST(Overflows, HaveAnAnswerBeyondMemoryThatIsSmallIn32Bits) {
  const auto alone = generated(onnx_tile_13, add_answer_beyond_memory);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(to_string(alone.front()), "onnx-tile-13 boolean[3,1] x i64{1431655766,131072}");
  EXPECT_TRUE(is_beyond_memory(alone.front()));
  const auto along = generated(onnx_tile_1, add_answer_beyond_memory);
  ASSERT_EQ(along.size(), 1U);
  EXPECT_TRUE(is_beyond_memory(along.front()));
}

TEST(Threads, WriteWhatAPoolOfThreadsIsForAndHaveManyAxes) {
  std::size_t most_axes = 0, most_elements = 0;
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) { add_threads(sink, 3); })) {
    most_axes = std::max(most_axes, question.data.shape().size());
    most_elements = std::max(most_elements, static_cast<std::size_t>(*element_count(question.data.shape())));
  }
  EXPECT_EQ(most_axes, 9U);
  EXPECT_EQ(most_elements, std::size_t{16} * 8192);
}

TEST(Threads, RepeatBlocksThatAKernelStages) {
  std::set<std::int64_t> rows;  // in bytes
  for (const Case& question : generated(onnx_tile_13, [](Sink& sink) { add_threads(sink, 3); }))
    if (question.data.shape().size() == 2 && question.repeats.count() == 2 &&
        numbers_in(question.repeats)[1]->value >= 4)
      rows.insert(question.data.shape()[1] * bits(question.data.type()) / 8);
  EXPECT_TRUE(rows.contains(300) && rows.contains(1200));
}

TEST(Mixing, GivesTheNumbersOfSplitmix64) {
  EXPECT_EQ(mix(0), 0xe220a8397b1dcdafU);
}

}  // namespace
}  // namespace certile::conformance
