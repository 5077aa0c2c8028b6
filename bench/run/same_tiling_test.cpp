#include "bench/run/suite.hpp"
#include "reference/values/definitions_test.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace certile::bench {
namespace {

const std::string plain = "onnx-tile-13 f32[2,3] x i64{2,2}";

std::string as_claimed(const std::string& literal, std::span<const DefinitionId> claimed) {
  return to_string(bench::as_claimed(*parse_case(literal), claimed));
}

TEST(SameTiling, WhatIsClaimedIsAskedAsItIs) {
  EXPECT_EQ(as_claimed(plain, all_definitions()), plain);
}

TEST(SameTiling, AnotherOperatorThatWritesTheSameBytesStandsIn) {
  EXPECT_EQ(as_claimed(plain, std::vector{openvino_tile_1}), "openvino-tile-1 f32[2,3] x i64{2,2}");
}

TEST(SameTiling, AnOperatorThatRefusesTheCaseDoesNotStandIn) {
  const std::string promoted = "openvino-tile-1 f32[6,14] x i64{100,1,2}";
  EXPECT_EQ(as_claimed(promoted, std::vector{onnx_tile_13}), promoted);
}

TEST(SameTiling, WithoutAnythingClaimedACaseStaysAsItIs) {
  EXPECT_EQ(as_claimed(plain, {}), plain);
}

}  // namespace
}  // namespace certile::bench
