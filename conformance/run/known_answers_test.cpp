#include "conformance/run/known_answers.hpp"

#include <gtest/gtest.h>

#include "reference/values/case.hpp"

namespace certile::conformance {
namespace {

TEST(KnownAnswers, AreFoundByTheLiteral) {
  const std::string literal = "onnx-tile-13 f32[2] x i64{3}";
  KnownAnswers known;
  EXPECT_EQ(known.find(literal), nullptr);
  const auto kept = known.keep(literal, *expect(case_of(literal)));
  EXPECT_EQ(known.find(literal), kept);
  EXPECT_EQ(std::get<Answer>(*kept).tensors.front().shape(), Shape{6});
}

TEST(KnownAnswers, LeaveOutLargeOnes) {
  const std::string literal = "onnx-tile-13 u8[1] x i64{2000000}";
  KnownAnswers known;
  EXPECT_NE(known.keep(literal, *expect(case_of(literal))), nullptr);
  EXPECT_EQ(known.find(literal), nullptr);
}

}  // namespace
}  // namespace certile::conformance
