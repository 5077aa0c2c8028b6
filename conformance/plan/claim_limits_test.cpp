#include "conformance/plan/claim_limits.hpp"

#include <gtest/gtest.h>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

// Returns the limits of a claim in one line.
std::string limits(const Claim& claim) {
  return joined(claim_limits(claim, claim.definitions), "; ");
}

TEST(ClaimLimits, AClaimOfEverythingHasNone) {
  Claim claim = example_header(0).claim;
  claim.definitions = all_definitions();
  EXPECT_EQ(limits(claim), "");
}

TEST(ClaimLimits, TypesThatTheOperatorDoesNotAllowAreNotMissed) {
  Claim claim = example_header(0).claim;
  claim.definitions = {onnx_tile_1};
  claim.types = {ElementType::f16, ElementType::f32, ElementType::f64};
  claim.repeats_types = {ElementType::f16, ElementType::f32, ElementType::f64, ElementType::i64};
  EXPECT_EQ(limits(claim), "");
}

TEST(ClaimLimits, NarrowRepeatsAreOptional) {
  Claim claim = example_header(0).claim;
  claim.repeats_types = {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64,
                         ElementType::u8, ElementType::u16, ElementType::u32, ElementType::u64};
  EXPECT_EQ(limits(claim), "");
}

TEST(ClaimLimits, FewTypesAreNamedAndManyCounted) {
  Claim claim = example_header(0).claim;
  claim.types = {ElementType::f32, ElementType::i8, ElementType::c64};  // c64 is open, so it does not count
  claim.repeats_types = {ElementType::i32, ElementType::i64, ElementType::u32, ElementType::u64};
  EXPECT_EQ(limits(claim), "i8, f32; repeats 4 of 8 types");
  claim.types = {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64};
  claim.repeats_types = {ElementType::i64};
  EXPECT_EQ(limits(claim), "4 of 25 types; repeats i64");
}

TEST(ClaimLimits, SizesAndMissingInferenceAreLimits) {
  Claim claim = example_header(0).claim;
  claim.max_rank = 4;
  claim.max_elements = 1000000;
  claim.max_bytes = 4096;
  claim.infers = false;
  EXPECT_EQ(limits(claim), "rank ≤ 4; elements ≤ 1,000,000; bytes ≤ 4,096; no shape inference");
  EXPECT_EQ(size_limits_text(claim), "rank ≤ 4, elements ≤ 1,000,000, bytes ≤ 4,096, no shape inference");
}

}  // namespace
}  // namespace certile::conformance
