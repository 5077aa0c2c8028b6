#include "conformance/laws/tensor_algebra.hpp"

#include <gtest/gtest.h>

#include "reference/values/case.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

// Returns the data of a literal.
Tensor spelled_tensor(const std::string& spelled) {
  return parse_case("openvino-tile-1 " + spelled + " x i64{}")->data;
}

TEST(TensorAlgebra, PermutesAxes) {
  const Tensor data = spelled_tensor("u8[2,3]{1,2,3,4,5,6}");
  EXPECT_EQ(to_string(permuted(data, {1, 0})), "u8[3,2]{1,4,2,5,3,6}");
  EXPECT_EQ(permuted(permuted(data, {1, 0}), {1, 0}), data);
}

TEST(TensorAlgebra, TakesATensorWithoutElementsWhoseOtherDimensionsAreHuge) {
  const Tensor data = spelled_tensor("u8[0,4611686018427387904,4611686018427387904]");
  EXPECT_EQ(to_string(permuted(data, {2, 0, 1})), "u8[4611686018427387904,0,4611686018427387904]");
}

TEST(TensorAlgebra, PutsOneTensorBehindTheOther) {
  const Tensor first = spelled_tensor("u8[2,2]{1,2,3,4}");
  const Tensor second = spelled_tensor("u8[2,1]{5,6}");
  EXPECT_EQ(to_string(concatenated(first, second, 1)), "u8[2,3]{1,2,5,3,4,6}");
  EXPECT_EQ(to_string(concatenated(first, spelled_tensor("u8[1,2]{7,8}"), 0)), "u8[3,2]{1,2,3,4,7,8}");
}

TEST(TensorAlgebra, PutsABlockForEachOfTheOnes) {
  EXPECT_EQ(to_string(kronecker_of_ones({2, 1}, spelled_tensor("u8[1,2]{1,2}"))), "u8[2,2]{1,2,1,2}");
  EXPECT_EQ(to_string(kronecker_of_ones({1, 2}, spelled_tensor("u8[2,1]{1,2}"))), "u8[2,2]{1,1,2,2}");
  EXPECT_EQ(to_string(kronecker_of_ones({3}, spelled_tensor("string{\"a\",\"\"}"))),
            "string{\"a\",\"\",\"a\",\"\",\"a\",\"\"}");
}

TEST(TensorAlgebra, FindsWhereAPeriodEnds) {
  EXPECT_EQ(first_break_of_period(spelled_tensor("u4{1,2,1,2}"), 0, 2), std::nullopt);
  EXPECT_EQ(first_break_of_period(spelled_tensor("u4{1,2,1,3}"), 0, 2), 1);
  EXPECT_EQ(first_break_of_period(spelled_tensor("u8[2,2]{1,2,1,4}"), 0, 1), 1);
}

TEST(TensorAlgebra, KeepsBitsWhenTypeOrShapeChange) {
  EXPECT_EQ(to_string(reinterpreted(spelled_tensor("f32{1}"), ElementType::u32)), "u32{1065353216}");
  EXPECT_EQ(to_string(spelled_tensor("u3{1,2,3,4}").reshaped({2, 2})), "u3[2,2]{1,2,3,4}");
}

}  // namespace
}  // namespace certile::conformance
