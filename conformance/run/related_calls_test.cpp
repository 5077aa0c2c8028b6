#include "conformance/run/plainer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace certile::conformance {
namespace {

std::vector<std::string> related(const std::string& call, const std::vector<std::string>& earlier,
                                 std::size_t most) {
  std::vector<PlannedCase> planned;
  for (const std::string& literal : earlier)
    planned.push_back(*parse_planned_case(literal));
  std::vector<const PlannedCase*> pointers;
  for (const PlannedCase& each : planned)
    pointers.push_back(&each);
  std::vector<std::string> literals;
  for (const PlannedCase* each : related_calls(*parse_planned_case(call), pointers, most))
    literals.push_back(each->literal);
  return literals;
}

// The key of sizes and repeats without a separator is 195 for both.
TEST(RelatedCalls, BeginWithOneOfTheSameDigits) {
  EXPECT_EQ(related("onnx-tile-13 u16[1] x i64{95}",
                    {"onnx-tile-13 bf16[19] x i64{5}", "onnx-tile-13 u16[5] x i64{19}",
                     "onnx-tile-13 u16[1] x i64{2}"},
                    1),
            std::vector<std::string>{"onnx-tile-13 bf16[19] x i64{5}"});
}

TEST(RelatedCalls, HaveTheLastOfThoseThatShareTheSameThings) {
  EXPECT_EQ(related("onnx-tile-13 u16[6] x i64{2}",
                    {"onnx-tile-13 u16[4] x i64{3}", "onnx-tile-13 u16[3] x i64{4}",
                     "onnx-tile-13 u16[7] x i64{8}"},
                    9),
            std::vector<std::string>{"onnx-tile-13 u16[3] x i64{4}"});
}

TEST(RelatedCalls, AreNoneIfNoneIsWanted) {
  EXPECT_EQ(related("onnx-tile-13 u16[6] x i64{2}", {"onnx-tile-13 u16[6] x i64{2}"}, 0),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace certile::conformance
