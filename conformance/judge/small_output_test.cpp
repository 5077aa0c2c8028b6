#include "conformance/judge/record.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

Observation seen(std::vector<Tensor> outputs, std::vector<std::vector<bool>> unwritten = {}) {
  Observation observation;
  observation.outcome = Produced{std::move(outputs)};
  observation.unwritten = std::move(unwritten);
  return observation;
}

Tensor numbers(std::int64_t count) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count), 7);
  return tensor_of_numbers(ElementType::u8, {count}, values);
}

TEST(SmallOutput, IsAnOperandThatALiteralCouldHave) {
  const std::int64_t values[] = {1, 2, 3, 4};
  const auto small = small_output(seen({tensor_of_numbers(ElementType::f32, {2, 2}, values)}));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->elements, "f32[2,2]{1,2,3,4}");
  EXPECT_TRUE(small->unwritten.empty());
}

TEST(SmallOutput, SpellsWhatWasNotWrittenAsZeroBecauseItIsNoAnswer) {
  const auto small = small_output(seen({numbers(3)}, {{false, true, true}}));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->elements, "u8{7,0,0}");
  EXPECT_EQ(small->unwritten, (std::vector<std::int64_t>{1, 2}));
}

TEST(SmallOutput, HasAtMostSixtyFourElements) {
  EXPECT_TRUE(small_output(seen({numbers(64)})));
  EXPECT_FALSE(small_output(seen({numbers(65)})));
  EXPECT_FALSE(small_output(seen({numbers(0)})));
}

TEST(SmallOutput, IsNotThatOfConcurrentCallsNorOfNone) {
  EXPECT_FALSE(small_output(seen({numbers(2), numbers(2)})));
  EXPECT_FALSE(small_output(seen({})));
  Observation refused;
  refused.outcome = Refused{"no"};
  EXPECT_FALSE(small_output(refused));
}

TEST(SmallOutput, HasNoLongStrings) {
  const std::string strings[] = {std::string(2000, 'a')};
  EXPECT_FALSE(small_output(seen({Tensor::of_strings({1}, strings)})));
}

}  // namespace
}  // namespace certile::conformance
