#include "conformance/plan/shard.hpp"

#include <gtest/gtest.h>

#include <map>

namespace certile::conformance {
namespace {

TEST(Shard, IsReadFromItsNumberAndTheirTotal) {
  EXPECT_EQ(*parse_shard("1/1"), (Shard{1, 1}));
  EXPECT_EQ(*parse_shard("7/7"), (Shard{7, 7}));
  EXPECT_EQ(to_string(*parse_shard("2/7")), "shard 2 of 7");
}

TEST(Shard, IsNotReadFromAnythingElse) {
  for (const char* text : {"", "/", "1", "0/7", "8/7", "-1/7", "1/-7", "1/0", "a/7", "1/7x", " 1/7",
                           "1/100001", "1/99999999999999999999"})
    EXPECT_FALSE(parse_shard(text)) << text;
}

TEST(Shard, HasACaseWhereverItIsAsked) {
  // These shares were computed once: a file of records from another machine must have the same.
  EXPECT_TRUE((Shard{1, 2}.has("onnx-tile-13 u8[3] x i64{2}")) !=
              (Shard{2, 2}.has("onnx-tile-13 u8[3] x i64{2}")));
  std::map<int, int> cases;
  for (int number = 0; number < 7000; ++number) {
    const std::string literal = "onnx-tile-13 u8[" + std::to_string(number) + "] x i64{2}";
    int owners = 0;
    for (int index = 1; index <= 7; ++index)
      if (Shard{index, 7}.has(literal)) {
        ++owners;
        ++cases[index];
      }
    EXPECT_EQ(owners, 1) << literal;
  }
  for (const auto& [index, count] : cases)
    EXPECT_NEAR(count, 1000, 150) << index;
}

}  // namespace
}  // namespace certile::conformance
