#include "conformance/explain/place_rules.hpp"

#include "conformance/explain/broken_output_test.hpp"

namespace certile::conformance {
namespace {

using Sentences = std::vector<std::string>;

// Returns the indices from `first` to `last`.
std::vector<std::int64_t> range(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t index = first; index <= last; ++index)
    numbers.push_back(index);
  return numbers;
}

std::string first_of(const Sentences& sentences) {
  return sentences.empty() ? "" : sentences.front();
}

TEST(PlaceRules, SayNothingOfElementsThatAreWrongEverywhere) {
  EXPECT_EQ(where_wrong(BrokenOutput("onnx-tile-13 i32[2,3] x i64{2,2}").change(range(0, 23)).found()),
            Sentences{});
  EXPECT_EQ(where_wrong(BrokenOutput("onnx-tile-13 i32[5] x i64{3}").change({0, 3, 6, 11, 14}).found()),
            Sentences{});
}

TEST(PlaceRules, NameACopyOnlyIfItHasAllWrongElements) {
  const std::string literal = "onnx-tile-13 i32[2,3] x i64{3,2}";  // 36 elements, 12 for each copy of axis 0
  EXPECT_EQ(first_of(where_wrong(BrokenOutput(literal).change(range(24, 35)).found())),
            "in the last copy of axis 0: every element there, and no other");
  EXPECT_EQ(first_of(where_wrong(BrokenOutput(literal).change(range(12, 23)).found())),
            "in copy 1 of axis 0: every element there, and no other");
  EXPECT_EQ(first_of(where_wrong(BrokenOutput(literal).change({24, 26, 35, 33, 29, 31}).found())),
            "in the last copy of axis 0: 6 of 12 elements there");
  // With one more wrong element in another copy, that sentence would be false.
  EXPECT_EQ(first_of(where_wrong(BrokenOutput(literal).change({13, 24, 26, 35, 33, 29, 31}).found())),
            "from byte 52 of the output on: 7 of 23 elements there");
}

TEST(PlaceRules, NameTheCopyFromWhichOnTheyAreWrong) {
  EXPECT_EQ(first_of(where_wrong(
                BrokenOutput("onnx-tile-13 i32[1,3] x i64{1,300}").change(range(768, 899)).found())),
            "in copy 256 and later ones of axis 1: every element there, and no other");
}

TEST(PlaceRules, NameColumnsAndIndices) {
  EXPECT_EQ(first_of(where_wrong(
                BrokenOutput("onnx-tile-13 i32[3,4] x i64{1,1}").change({2, 3, 6, 7, 10, 11}).found())),
            "from column 2 of each row on: every element there, and no other");
  EXPECT_EQ(first_of(where_wrong(BrokenOutput("onnx-tile-13 i32[3,4] x i64{1,1}").change({1, 5, 9}).found())),
            "in column 1: every element there, and no other");
  EXPECT_EQ(first_of(where_wrong(BrokenOutput("onnx-tile-13 i32[2,3] x i64{2,3}")
                                     .change({2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35})
                                     .found())),
            "in the last column of every copy: every element there, and no other");
  EXPECT_EQ(first_of(where_wrong(
                BrokenOutput("onnx-tile-13 i32[3,2,2] x i64{1,1,1}").change({2, 3, 6, 7, 10, 11}).found())),
            "at the last index of axis 1: every element there, and no other");
}

TEST(PlaceRules, SpellPowersOfTwoOfBytes) {
  BrokenOutput output("onnx-tile-13 u8[4096] x i64{1}");
  EXPECT_EQ(first_of(where_wrong(output.change(range(2048, 4095)).found())),
            "from column 2^11 of each row on: every element there, and no other");
  BrokenOutput wide("onnx-tile-13 i32[600] x i64{1}");
  EXPECT_EQ(where_wrong(wide.change(range(256, 400)).found()).front(),
            "from byte 2^10 of the output to byte 1,603: every element there, and no other");
}

TEST(PlaceRules, NameWhatIsLeftOfRowsAfterWholeVectors) {
  BrokenOutput output("onnx-tile-13 u8[2,35] x i64{1,2}");
  // Bytes 32 to 34 of a row of 35 are behind the last whole vector; only some of them are wrong.
  EXPECT_EQ(first_of(where_wrong(output.change({32, 68, 104, 138}).found())),
            "in the last 3 bytes of each copied row, which do not fill a vector of 16 or 32 bytes: 4 of 12 "
            "elements there, [0,32], [0,68], [1,34] and [1,68]");
}

TEST(PlaceRules, NameEverySecondElement) {
  EXPECT_EQ(first_of(where_wrong(
                BrokenOutput("onnx-tile-13 i32[5] x i64{3}").change({1, 3, 5, 7, 9, 11, 13}).found())),
            "in columns 1, 3, … of each row, 1 of each 2: every element there, and no other");
}

TEST(PlaceRules, NamePlacesThatComeAgainAndAgain) {
  EXPECT_EQ(
      where_wrong(BrokenOutput("onnx-tile-13 u8[40] x i64{1}").change({2, 6, 18, 22, 34, 38}).found()),
      Sentences{"in columns 2, 6, 18, 22, … of each row, 2 of each 16: every element there, and no other"});
  // Rows of 7 elements that are copied three times: the output has the places 1, 2, 4, 5, then 8, 9, 11, 12.
  BrokenOutput copied("onnx-tile-13 u8[7] x i64{3}");
  EXPECT_EQ(where_wrong(copied.change({1, 2, 4, 5, 8, 9, 11, 12, 15, 16, 18, 19}).found()),
            Sentences{"in columns 1, 2, 4, 5, … of each copied row, 2 of each 3: every element there, and no "
                      "other"});
  BrokenOutput rows("onnx-tile-13 u8[5,7] x i64{1,1}");
  EXPECT_EQ(first_of(where_wrong(rows.change({1, 4, 12, 15, 23, 26, 34}).found())),
            "at elements 1, 4, 12, 15, … of the output, 2 of each 11: every element there, and no other");
}

TEST(PlaceRules, NameAFewCopiesThatDoNotFollowEachOther) {
  const auto found =
      BrokenOutput("onnx-tile-13 u8[2] x i64{40}").leave_unwritten({20, 21, 40, 41, 60, 61}).found();
  EXPECT_EQ(where_wrong(found),
            Sentences{"in copies 10, 20 and 30 of axis 0: every element there, and no other"});
}

TEST(PlaceRules, NameThePowerOfTwoThatALengthIs) {
  EXPECT_EQ(first_of(where_wrong(
                BrokenOutput("onnx-tile-13 u8[1] x i64{5000}").change(range(1500, 1500 + 2047)).found())),
            "from byte 1,500 of the output to byte 3,547 (2^11 bytes): every element there, and no other");
}

TEST(PlaceRules, NameAFewElementsThatNoOtherPlaceNames) {
  const std::string literal = "onnx-tile-13 i32[4,6] x i64{1,4}";
  EXPECT_EQ(
      where_wrong(BrokenOutput(literal).change({41, 95}).found()),
      Sentences{"in copy 2 and later ones of axis 1, in the last column of each: 2 of 8 elements there, "
                "[1,17] and [3,23]"});
  EXPECT_EQ(where_wrong(BrokenOutput("onnx-tile-13 i32[2,2] x i64{2,2}").change({0, 6, 15}).found()),
            Sentences{"at [0,0], [1,2] and [3,3]"});
}

TEST(PlaceRules, NameAPlaceInSomeCopies) {
  BrokenOutput output("onnx-tile-13 i32[2,3] x i64{1,4}");
  EXPECT_EQ(first_of(where_wrong(output.change({6, 9, 18, 21}).found())),
            "in copy 2 and later ones of axis 1, in the first column of each: every element there, and no "
            "other");
}

TEST(PlaceRules, SayOfOneElementOnlyWhatItsPlaceDoesNotSay) {
  const std::string literal = "onnx-tile-13 i32[2,3] x i64{2,2}";
  EXPECT_EQ(where_wrong(BrokenOutput(literal).change({23}).found()), Sentences{"at the end of the output"});
  EXPECT_EQ(where_wrong(BrokenOutput("onnx-tile-13 u8[1] x i64{7}").change({6}, 1).found()),
            Sentences{"in the last copy of axis 0"});
}

}  // namespace
}  // namespace certile::conformance
