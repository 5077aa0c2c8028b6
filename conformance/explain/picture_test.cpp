#include "conformance/explain/picture.hpp"

#include <algorithm>
#include <sstream>

#include "conformance/explain/broken_output_test.hpp"

namespace certile::conformance {
namespace {

// Returns the picture as text; empty if there is none.
std::string drawn(const WrongElements& found, const PictureSize& size = {}) {
  const auto picture = picture_of(found, size);
  return picture ? text_of(*picture) : std::string();
}

TEST(Picture, MarksWrongElementsAndDrawsTheBordersOfCopies) {
  EXPECT_EQ("\n" + drawn(BrokenOutput("onnx-tile-13 i32[2,3] x i64{2,2}").put(4, 0).found()),
            R"(
      expected               got
        0  1  2  3  4  5       0  1  2  3  4  5
      0 1  2  3 |1  2  3     0 1  2  3 |1  1* 3
      1 4  5  6 |4  5  6     1 4  5  6 |4  5  6
        --------+--------      --------+--------
      2 1  2  3 |1  2  3     2 1  2  3 |1  2  3
      3 4  5  6 |4  5  6     3 4  5  6 |4  5  6
      * wrong
)");
}

TEST(Picture, ShowsNoNumberForAnUnwrittenElement) {
  EXPECT_EQ("\n" + drawn(BrokenOutput("onnx-tile-13 i32[3] x i64{2}").leave_unwritten({5}).found()),
            R"(
      expected               got
        0  1  2  3  4  5       0  1  2  3  4  5
      0 1  2  3 |1  2  3     0 1  2  3 |1  2  ?*
      * wrong   ? not written
)");
}

TEST(Picture, DrawsTheSliceWithTheFirstWrongElement) {
  EXPECT_EQ("\n" + drawn(BrokenOutput("onnx-tile-13 i32[2,1,2] x i64{1,2,1}").put(6, 0).found()),
            R"(
      slice [1,:,:]; wrong elements are in 1 of 2 slices
      expected   got
        0  1       0  1
      0 3  4     0 3  4
      1 3  4     1 1* 4
      * wrong
)");
}

TEST(Picture, DrawsAScalar) {
  EXPECT_EQ("\n" + drawn(BrokenOutput("onnx-tile-13 f32[]{2.5} x i64{}").leave_unwritten({0}).found()),
            R"(
      expected  got
          0         0
      0 2.5     0   ?*
      * wrong   ? not written
)");
}

TEST(Picture, CutsStringsAroundTheirDifference) {
  const Tensor right =
      Tensor::of_strings({1}, std::vector<std::string>{std::string(40, 'a') + "bc" + std::string(40, 'd')});
  const Tensor wrong =
      Tensor::of_strings({1}, std::vector<std::string>{std::string(40, 'a') + "Xc" + std::string(40, 'd')});
  const std::string picture = drawn(*wrong_elements_of(right, wrong, right, {}));
  EXPECT_NE(picture.find("aabcdd"), std::string::npos) << picture;
  EXPECT_NE(picture.find("aaXcdd"), std::string::npos) << picture;
}

TEST(Picture, FitsItsWidthAndShowsTheFirstWrongElement) {
  const WrongElements found =
      BrokenOutput("onnx-tile-13 i32[30,50] x i64{2,2}").leave_unwritten({4321}).found();
  for (const std::size_t width : {40U, 60U, 110U, 200U}) {
    const std::string picture = drawn(found, {.width = width, .rows = 5});
    EXPECT_NE(picture.find("?*"), std::string::npos) << picture;
    std::istringstream lines(picture);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), std::max<std::size_t>(width, 60)) << line;
    EXPECT_LE(std::count(picture.begin(), picture.end(), '\n'), 5 + 6) << picture;
  }
  EXPECT_EQ(drawn(found, {.width = 12, .rows = 5}), "");
}

TEST(Picture, HasTheElementsAndTheBordersForOtherRenderings) {
  const auto picture =
      picture_of(BrokenOutput("onnx-tile-13 i32[2,3] x i64{2,2}").leave_unwritten({4}).found(), {});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->rows.size(), 4U);
  EXPECT_EQ(picture->row_borders, (std::vector<bool>{false, false, true, false}));
  EXPECT_EQ(picture->column_borders, (std::vector<bool>{false, false, false, true, false, false}));
  EXPECT_TRUE(picture->rows[0][4].is_wrong);
  EXPECT_EQ(picture->rows[0][4].expected, "2");
  EXPECT_EQ(picture->rows[0][4].seen, "?");
  EXPECT_TRUE(picture->has_unwritten());
}

}  // namespace
}  // namespace certile::conformance
