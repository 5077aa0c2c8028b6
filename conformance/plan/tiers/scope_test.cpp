#include "conformance/plan/tiers/scope.hpp"
#include "reference/values/definitions_test.hpp"

#include <gtest/gtest.h>

#include <string>

namespace certile::conformance {
namespace {

using enum ElementType;

Claim claim_of(TypeSet types, TypeSet repeats_types) {
  Claim claim;
  claim.definitions = all_definitions();
  claim.types = types;
  claim.repeats_types = repeats_types;
  return claim;
}

std::string fitted(const Claim& claim, const std::string& literal) {
  const Case question = *parse_case(literal);
  const auto fit = Scope(question.definition, claim).fitted(question);
  return fit ? to_string(*fit) : "none";
}

TEST(Scope, IsWhatClaimAndTextHaveInCommon) {
  const Claim claim = claim_of({u4, f32, bf16, c64}, {i64, i8, f32});
  EXPECT_EQ(Scope(openvino_tile_1, claim).types(), (std::vector{u4, bf16, f32}));
  EXPECT_EQ(Scope(onnx_tile_13, claim).types(), (std::vector{bf16, f32, c64}));
  EXPECT_EQ(Scope(onnx_tile_6, claim).types(), (std::vector{f32, c64}));
  EXPECT_EQ(Scope(onnx_tile_1, claim).types(), (std::vector{f32}));
}

TEST(Scope, HasTheRepeatsTypesOfTheTextWithI64First) {
  const Claim claim = claim_of({f32}, {f32, u8, i64, i8});
  EXPECT_EQ(Scope(openvino_tile_1, claim).repeats_types(), (std::vector{i64, i8, u8}));
  EXPECT_EQ(Scope(onnx_tile_13, claim).repeats_types(), (std::vector{i64}));
  EXPECT_EQ(Scope(onnx_tile_1, claim).repeats_types(), (std::vector{i64, f32}));
}

TEST(Scope, IsEmptyWhereTheClaimHasNoTypeOfRepeatsForTheOperator) {
  const Claim claim = claim_of({f32}, {i32});
  EXPECT_TRUE(Scope(onnx_tile_13, claim).empty());
  EXPECT_FALSE(Scope(openvino_tile_1, claim).empty());
}

TEST(Scope, GroupsTypesByWidthAndStringsApart) {
  const Scope scope(onnx_tile_13, claim_of({i8, u8, f32, c128, string}, {i64}));
  EXPECT_EQ(scope.widths(), (std::vector<std::vector<ElementType>>{{i8, u8}, {f32}, {c128}, {string}}));
}

TEST(Scope, AsksOnnxTile1OnceForEachRepeatedAxis) {
  const Scope scope(onnx_tile_1, claim_of({f32}, {i64}));
  const auto cases = scope.cases_of({.type = f32, .shape = {2, 3, 5}, .repeats = {7, 1, 3}});
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(to_string(cases[0]), "onnx-tile-1 f32[2,3,5] x i64[]{7} along i64[]{0}");
  EXPECT_EQ(to_string(cases[1]), "onnx-tile-1 f32[2,3,5] x i64[]{3} along i64[]{2}");
}

TEST(Scope, UsesOnlyTypesThatHoldTheRepeats) {
  const Scope scope(openvino_tile_1, claim_of({f32}, {i8, u16}));
  for (std::uint64_t variety = 0; variety < 5; ++variety) {
    const auto cases = scope.cases_of({.type = f32, .shape = {1}, .repeats = {40000}, .variety = variety});
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(to_string(cases[0]), "openvino-tile-1 f32[1] x u16{40000}");
  }
  EXPECT_TRUE(scope.cases_of({.type = f32, .shape = {1}, .repeats = {70000}}).empty());
}

TEST(Scope, LeavesOutWhatIsBeyondTheLimits) {
  Claim claim = claim_of({u8}, {i64});
  claim.max_rank = 2;
  claim.max_bytes = 100;
  const Scope scope(openvino_tile_1, claim);
  EXPECT_TRUE(scope.cases_of({.type = u8, .shape = {1}, .repeats = {1, 1, 1}}).empty());
  EXPECT_TRUE(scope.cases_of({.type = u8, .shape = {1}, .repeats = {101}}).empty());
  EXPECT_EQ(scope.cases_of({.type = u8, .shape = {1}, .repeats = {100}}).size(), 1U);
}

TEST(FittedCase, IsTheSameWhereEverythingIsClaimed) {
  EXPECT_EQ(fitted(claim_of({f32}, {i64}), "onnx-tile-13 f32[2] x i64{2}"), "onnx-tile-13 f32[2] x i64{2}");
}

TEST(FittedCase, TakesTheFirstClaimedTypeWhereTheTypePlaysNoPart) {
  EXPECT_EQ(fitted(claim_of({u8}, {i64}), "onnx-tile-13 f32{1,2} x i64{2}"), "onnx-tile-13 u8{1,2} x i64{2}");
  EXPECT_EQ(fitted(claim_of({f32}, {i8}), "openvino-tile-1 f32[2] x i64{2}"),
            "openvino-tile-1 f32[2] x i8{2}");
  EXPECT_EQ(fitted(claim_of({f16}, {i64}), "onnx-tile-1 f32[2] x f32[]{2} along f32[]{0}"),
            "onnx-tile-1 f16[2] x i64[]{2} along i64[]{0}");
}

TEST(FittedCase, IsLeftOutWhereTheElementsNeedTheirType) {
  EXPECT_EQ(fitted(claim_of({u8}, {i64}), "onnx-tile-13 f32{0.5} x i64{2}"), "none");
  EXPECT_EQ(fitted(claim_of({f32}, {i8}), "openvino-tile-1 f32[2] x i64{200}"), "none");
}

TEST(FittedCase, KeepsTypesThatTheOperatorRefuses) {
  EXPECT_EQ(fitted(claim_of({f32}, {i64}), "onnx-tile-13 u4[2] x i64{2}"), "onnx-tile-13 u4[2] x i64{2}");
  EXPECT_EQ(fitted(claim_of({f32}, {i64}), "openvino-tile-1 f32[2] x f32{2}"),
            "openvino-tile-1 f32[2] x f32{2}");
}

TEST(FittedCase, IsLeftOutBeyondTheLimits) {
  Claim claim = claim_of({f32}, {i64});
  claim.max_elements = 10;
  EXPECT_EQ(fitted(claim, "openvino-tile-1 f32[2] x i64{6}"), "none");
  EXPECT_EQ(fitted(claim, "openvino-tile-1 f32[2] x i64{5}"), "openvino-tile-1 f32[2] x i64{5}");
}

}  // namespace
}  // namespace certile::conformance
