// Tests each law with an implementation that is right except for one fault, which the law must find.
#include "conformance/laws/laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reference/oracle/tile.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {
namespace {

// A change to the right answer to a call.
using ByHand = std::function<void(const LawCall&, Tensor&)>;

Claim claim_of_all() {
  Claim claim;
  claim.definitions = all_definitions();
  claim.types = TypeSet::all();
  claim.repeats_types = claim.types;
  return claim;
}

Tensor right_answer(const LawCall& call, const Tensor& data) {
  return *oracle::tile(call.question, data);
}

class AllButOneThing final : public LawAsker {
 public:
  explicit AllButOneThing(ByHand fault) : LawAsker(claim_of_all(), shared_memory), fault_(std::move(fault)) {}

  Result<Observation> ask(const LawCall& call) override {
    Produced produced;
    for (const Tensor& data : call.data) {
      Tensor answer = right_answer(call, data);
      fault_(call, answer);
      produced.outputs.push_back(std::move(answer));
    }
    Observation seen;
    seen.inferred = produced.outputs.front().shape();
    seen.outcome = std::move(produced);
    return seen;
  }

 private:
  ByHand fault_;
};

void no_fault(const LawCall&, Tensor&) {}

void change(Tensor& answer, std::int64_t index) {
  if (answer.count() == 0) return;
  Tensor::Bits bits = answer.element(index);
  bits.low ^= 1U;
  answer.set_element(index, bits);
}
void change_first(Tensor& answer) {
  change(answer, 0);
}
void change_last(Tensor& answer) {
  change(answer, answer.count() - 1);
}

// Returns the repeats of a call, in the forms of these tests' literals.
Shape times_of(const LawCall& call) {
  return tiling_of(call.question)->times;
}

bool all_ones(const Shape& times) {
  return std::ranges::all_of(times, [](std::int64_t each) { return each == 1; });
}

LawFinding tried(const char* law, const std::string& literal, const ByHand& fault) {
  AllButOneThing asker(fault);
  const auto finding = try_law(*law_named(law), *parse_case(literal), asker);
  EXPECT_TRUE(finding) << literal << ": " << finding.error().what;
  return finding ? *finding : LawFinding{};
}

void expect_broken(const char* law, const std::string& literal, const ByHand& fault) {
  EXPECT_EQ(tried(law, literal, no_fault).word, LawWord::holds) << law << ": " << literal;
  const LawFinding finding = tried(law, literal, fault);
  EXPECT_EQ(finding.word, LawWord::broken) << law << ": " << literal;
  EXPECT_FALSE(finding.evidence.empty()) << law << ": " << literal;
  ASSERT_TRUE(finding.record) << law << ": " << literal;
  EXPECT_EQ(finding.record->now().verdict, Verdict::fail) << law << ": " << literal;
}

TEST(Law, OfOnesSeesAnIdentityThatChangesAnElement) {
  expect_broken("tiling-by-ones", "openvino-tile-1 u8[2,3] x i64{2,2}",
                [](const LawCall& call, Tensor& answer) {
                  if (all_ones(times_of(call))) change_first(answer);
                });
}

TEST(Law, OfTilingTwiceSeesLargeRepeatsThatGoWrong) {
  expect_broken("tiling-twice", "onnx-tile-13 i16[2,3] x i64{2,2}", [](const LawCall& call, Tensor& answer) {
    if (std::ranges::any_of(times_of(call), [](std::int64_t each) { return each >= 4; })) change_last(answer);
  });
}

TEST(Law, OfAxisOrderSeesAnAxisThatIsSpecialWhenItIsAlone) {
  const ByHand fault = [](const LawCall& call, Tensor& answer) {
    const Shape times = times_of(call);
    if (times[0] > 1 && times[1] == 1) change_first(answer);
  };
  expect_broken("axis-order", "onnx-tile-6 u32[2,3] x i64{2,2}", fault);
  expect_broken("axis-order", "onnx-tile-1 f32[2,3] x i64[]{2} along i64[]{0}", fault);
}

TEST(Law, OfPeriodsSeesACopyThatDiffers) {
  expect_broken("periodic", "onnx-tile-13 u8[3] x i64{2}",
                [](const LawCall&, Tensor& answer) { change_last(answer); });
}

TEST(Law, OfConcatenationSeesACopyThatDiffers) {
  expect_broken("concatenation", "openvino-tile-1 string[3] x i64{3}",
                [](const LawCall& call, Tensor& answer) {
                  if (times_of(call).front() < 3) return;
                  std::vector<std::string> others(static_cast<std::size_t>(answer.count()), "other");
                  answer = Tensor::of_strings(answer.shape(), others);
                });
}

TEST(Law, OfKroneckerSeesElementsAtOtherPlaces) {
  expect_broken("kronecker", "openvino-tile-1 u4[2,3] x i64{2,2}", [](const LawCall&, Tensor& answer) {
    const Tensor::Bits first = answer.element(0);
    answer.set_element(0, answer.element(1));
    answer.set_element(1, first);
  });
}

TEST(Law, OfExplicitOnesSeesALeadingOneThatMatters) {
  const ByHand fault = [](const LawCall& call, Tensor& answer) {
    if (call.question.data.shape().front() == 1) change_first(answer);
  };
  expect_broken("explicit-ones", "onnx-tile-13 f16[2,3] x i64{2,2}", fault);
  expect_broken("explicit-ones", "onnx-tile-1 f16[2,3] x i64[]{2} along i64[]{-1}", fault);
}

TEST(Law, OfExplicitOnesSeesPromotionOnTheRepeatsAlone) {
  expect_broken("explicit-ones", "openvino-tile-1 f16[2,3] x i64{2,2}",
                [](const LawCall& call, Tensor& answer) {
                  if (call.question.repeats.shape().front() >
                      static_cast<std::int64_t>(call.question.data.shape().size()))
                    change_first(answer);
                });
}

TEST(Law, OfPermutedAxesSeesAnOrderOfAxesThatMatters) {
  expect_broken("permuted-axes", "onnx-tile-13 c64[2,3] x i64{2,1}", [](const LawCall& call, Tensor& answer) {
    if (call.question.data.shape().front() > call.question.data.shape().back()) change_first(answer);
  });
}

TEST(Law, OfReinterpretedTypesSeesATypeThatIsMovedInAnotherWay) {
  expect_broken("reinterpreted-type", "onnx-tile-13 i32[2,3] x i64{2,1}",
                [](const LawCall& call, Tensor& answer) {
                  if (call.question.data.type() == ElementType::f32) change_first(answer);
                });
}

TEST(Law, OfZeroRepeatsSeesAZeroThatCountsAsOne) {
  expect_broken("zero-repeats", "onnx-tile-13 i32[2,3] x i64{2,1}", [](const LawCall& call, Tensor& answer) {
    Shape shape = answer.shape();
    if (times_of(call).back() != 0) return;
    shape.back() = 3;
    answer = Tensor(answer.type(), shape);
  });
}

TEST(Law, OfPlacementSeesABufferThatLiesAtItsGuard) {
  expect_broken("any-placement", "onnx-tile-13 i32[2,3] x i64{2,1}", [](const LawCall& call, Tensor& answer) {
    if (call.question.placement.guard == Placement::Guard::after) change_first(answer);
  });
}

TEST(Law, OfConcurrentCallsSeesWhatOnlyThreadsGet) {
  expect_broken("concurrent-calls", "onnx-tile-13 i32[2,3] x i64{2,1}",
                [](const LawCall& call, Tensor& answer) {
                  if (call.question.placement.threads > 1) change_last(answer);
                });
}

TEST(Law, SaysNothingToACaseThatMayBeRefused) {
  for (const char* literal :
       {"onnx-tile-13 f32[2,3] x i64{2}", "onnx-tile-13 f32[2,3] x i64{2,-1}",
        "openvino-tile-1 f32[2,3] x i64[1,2]{2,2}", "openvino-tile-1 f32[2] x i64{-1}",
        "onnx-tile-1 f32[2] x f32[]{1.5} along i64[]{0}", "onnx-tile-1 f32[2] x i64[]{2} along i64[]{1}",
        "onnx-tile-13 f32[65537] x i64{65536} @infer"})
    EXPECT_EQ(tried("periodic", literal, no_fault).word, LawWord::does_not_apply) << literal;
}

TEST(Law, HoldsWhereNothingIsLeft) {
  for (const Law& law : all_laws())
    for (const char* literal : {"onnx-tile-13 f32[0,3] x i64{2,2}", "openvino-tile-1 u1[] x i64{}",
                                "openvino-tile-1 i4[3] x i64{2,0,3}", "onnx-tile-6 string[2,0] x i64{1,1}",
                                "onnx-tile-1 f64[2,0] x i64[]{2} along i64[]{1}"})
      EXPECT_NE(tried(std::string(law.name).c_str(), literal, no_fault).word, LawWord::broken)
          << law.name << ": " << literal;
}

TEST(Law, ThatIsBrokenByRightAnswersAccusesCertile) {
  // The judge compares with the oracles, which are right, so this law must be wrong.
  const Law wrong{"wrong", "nothing is ever repeated", [](LawTrial& trial) {
                    if (const auto answer = trial.whole())
                      trial.demand_same(*answer, trial.data(), "nothing");
                  }};
  AllButOneThing asker(no_fault);
  const auto finding = try_law(wrong, *parse_case("onnx-tile-13 u8[2] x i64{2}"), asker);
  ASSERT_FALSE(finding);
  EXPECT_EQ(finding.error().code, Error::Code::backend_failed);
  EXPECT_EQ(finding.error().what,
            "the oracles and the law 'wrong' disagree about onnx-tile-13 u8[2] x i64{2}");
}

}  // namespace
}  // namespace certile::conformance
