#include "conformance/judge/judge_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace certile::conformance {
namespace {

const std::string left_open = "openvino-tile-1 c64[2] x i64{2}";
const std::string unclaimed_illegal = "onnx-tile-13 f64[1] x i64{-1}";

TEST(JudgeAnAnswer, PassesTheRightBytes) {
  EXPECT_EQ(verdict(legal, right_answer(legal)), "pass");
}

TEST(JudgeAnAnswer, FailsWrongElements) {
  EXPECT_EQ(verdict(legal, gave("f32{1,1,2,2}")), "fail elements OV-T1-G2");
  EXPECT_EQ(verdict("onnx-tile-6 f32[2] x i64{2}", gave("f32{1,1,2,2}")), "fail elements ONNX-T6-S2");
}

TEST(JudgeAnAnswer, FailsARefusalInsideTheClaimAndRecordsOneOutside) {
  EXPECT_EQ(verdict(legal, ended(Refused{"no"})), "fail refused OV-T1-G2");
  EXPECT_EQ(verdict(beyond_claim, ended(Refused{"no"}), claim_of_f32()), "unsupported");
}

TEST(JudgeAnAnswer, FailsUnsupportedInsideTheClaimAndRecordsItOutside) {
  EXPECT_EQ(verdict(legal, ended(Unsupported{"no"})), "fail claim CT-CLAIM");
  EXPECT_EQ(verdict(beyond_claim, ended(Unsupported{"no"}), claim_of_f32()), "unsupported");
}

TEST(JudgeAnAnswer, FailsAFailureInsideTheClaimAndRecordsOneOutside) {
  EXPECT_EQ(verdict(legal, ended(Failed{false, "no"})), "fail failed OV-T1-G2");
  EXPECT_EQ(verdict(legal, ended(Failed{true, "no"})), "fail memory CT-CLAIM");
  EXPECT_EQ(verdict(beyond_claim, ended(Failed{true, "no"}), claim_of_f32()), "unsupported");
}

TEST(JudgeAnAnswer, FailsACrashAndAHangInsideTheClaimAndOutside) {
  EXPECT_EQ(verdict("openvino-tile-1 f32[] x i64{}", ended(Crashed{11, 0, ""})), "fail crash CT-RETURN");
  EXPECT_EQ(verdict("openvino-tile-1 f32[1] x i64{0}", ended(TimedOut{10})), "fail timeout CT-RETURN");
  EXPECT_EQ(verdict(beyond_claim, ended(Crashed{0, 0, ""}), claim_of_f32()), "fail crash CT-CLAIM");
}

TEST(JudgeAnAnswer, TakesARightAnswerOutsideTheClaimAndFailsAWrongOne) {
  EXPECT_EQ(verdict(beyond_claim, right_answer(beyond_claim), claim_of_f32()), "pass");
  EXPECT_EQ(verdict(beyond_claim, gave("f64{1,1,2,2}"), claim_of_f32()), "fail elements CT-CLAIM");
  EXPECT_EQ(verdict(beyond_claim, gave("f64{1,2}"), claim_of_f32()), "fail shape CT-CLAIM");
}

// 3 times 1431655766 is 2^32 + 2.
TEST(JudgeAnAnswer, TellsApartWhatHappensToAnAnswerThatNoMemoryHolds) {
  const std::string literal = "onnx-tile-13 u8[3,1] x i64{1431655766,131072}";
  const Case question = *parse_case(literal);
  const auto finding = [&](const Observation& seen) {
    const Record record =
        judge({question, literal, {}}, whole_claim(), message_pipe, seen, *expect_shape(question));
    return std::string(name(record.now().verdict)) + " " + std::string(record.now().charged);
  };
  for (const Outcome& declined :
       {Outcome(Failed{true, "no memory"}), Outcome(Failed{false, "too large"}),
        Outcome(Refused{"too large"}), Outcome(Unsupported{"too large"}), Outcome(TimedOut{10})})
    EXPECT_EQ(finding(ended(declined)), "unsupported ");
  EXPECT_EQ(finding(ended(Crashed{11, 0, ""})), "fail CT-CLAIM");
  Observation wrapped = ended(Produced{});
  wrapped.inferred = Shape{2, 131072};
  EXPECT_EQ(finding(wrapped), "fail CT-CLAIM");
}

TEST(JudgeARefusal, PassesARefusal) {
  EXPECT_EQ(verdict(illegal, ended(Refused{"negative"})), "pass");
}

TEST(JudgeARefusal, ChargesInferenceWithWhatRunAloneRefuses) {
  Observation in_run = ended(Refused{"negative"});
  in_run.inferred = Shape{0};
  EXPECT_EQ(verdict(illegal, in_run), "fail accepted CT-INFER");
  EXPECT_EQ(judged(illegal, in_run).now().words.substr(0, 37), "inferred f32[0], and refused in run; ");
  EXPECT_EQ(std::ranges::count(judged(illegal, in_run).judged.exercised, "CT-INFER"), 1);
}

TEST(JudgeARefusal, FailsAnAnswer) {
  EXPECT_EQ(verdict(illegal, gave("f32[0]")), "fail accepted ONNX-T13-X3");
  EXPECT_EQ(verdict("onnx-tile-13 f32[1,1] x i64{2}", gave("f32[1,2]{1,1}")), "fail accepted ONNX-T13-S3");
  EXPECT_EQ(verdict("onnx-tile-13 f32[1,1] x i64{2}", gave("f32[2,1]{1,1}")), "fail accepted ONNX-T13-X7");
}

TEST(JudgeARefusal, FailsAnInferredShapeAlone) {
  Observation seen;
  seen.inferred = Shape{0};
  EXPECT_EQ(verdict(illegal, seen), "fail accepted ONNX-T13-X3");
}

TEST(JudgeARefusal, FailsUnsupportedInsideTheClaimAndRecordsItOutside) {
  EXPECT_EQ(verdict(illegal, ended(Unsupported{""})), "fail claim CT-CLAIM");
  EXPECT_EQ(verdict(unclaimed_illegal, ended(Unsupported{""}), claim_of_f32()), "unsupported");
}

TEST(JudgeARefusal, TakesATypeThatTheOperatorRefusesToBeOutsideEveryClaim) {
  EXPECT_EQ(verdict("onnx-tile-6 bf16[1] x i64{1}", ended(Unsupported{""})), "unsupported");
}

TEST(JudgeARefusal, FailsAFailureACrashAndAHang) {
  EXPECT_EQ(verdict(illegal, ended(Failed{false, ""})), "fail failed ONNX-T13-X3");
  EXPECT_EQ(verdict(illegal, ended(Failed{true, ""})), "fail memory ONNX-T13-X3");
  EXPECT_EQ(verdict("onnx-tile-13 f32[2] x i32{2}", ended(Failed{true, ""})), "fail memory ONNX-T13-X7");
  EXPECT_EQ(verdict(illegal, ended(Crashed{6, 0, ""})), "fail crash CT-REFUSE");
  EXPECT_EQ(verdict(illegal, ended(TimedOut{10})), "fail timeout CT-REFUSE");
}

TEST(JudgeWhatIsOpen, RecordsWhateverHappens) {
  Observation seen;
  seen.outcome = Produced{{Tensor(ElementType::c64, {4})}};
  EXPECT_EQ(verdict(left_open, seen), "inconclusive");
  EXPECT_EQ(verdict(left_open, ended(Refused{""})), "inconclusive");
  EXPECT_EQ(verdict(left_open, ended(Failed{false, ""})), "inconclusive");
  EXPECT_EQ(verdict(left_open, ended(Unsupported{""})), "unsupported");
}

TEST(JudgeWhatIsOpen, FailsACrashAHangAndDamage) {
  EXPECT_EQ(verdict(left_open, ended(Crashed{11, 0, ""})), "fail crash CT-REFUSE");
  EXPECT_EQ(verdict(left_open, ended(TimedOut{10})), "fail timeout CT-REFUSE");
  Observation seen = ended(Refused{""});
  seen.rig = {Fault::wrote_outside};
  EXPECT_EQ(verdict(left_open, seen), "fail wrote-outside CT-BOUNDS");
}

TEST(JudgeTheRig, ChargesTheContractFirst) {
  Observation seen = gave("f32{1,1,2,2}");
  seen.rig = {Fault::changed_input, Fault::left_unwritten};
  seen.details = "changed an input";
  EXPECT_EQ(verdict(legal, seen), "fail changed-input CT-INPUT");
  EXPECT_EQ(judged(legal, seen).now().words,
            "changed an input\nelement [1] is 0x3f800000 (1), expected 0x40000000 (2); 2 of 4 differ");
}

TEST(JudgeTheRig, ChargesAGuardPageThatWasTouchedInsteadOfTheCrash) {
  Observation seen = ended(Crashed{11, 0, ""});
  seen.rig = {Fault::read_outside};
  EXPECT_EQ(verdict(legal, seen), "fail read-outside CT-BOUNDS");
}

TEST(JudgeTheRig, ChargesADescriptorThatWasChanged) {
  Observation seen = right_answer(legal);
  seen.rig = {Fault::type};
  EXPECT_EQ(verdict(legal, seen), "fail type OV-T1-O2");
  seen.rig = {Fault::shape};
  EXPECT_EQ(verdict(legal, seen), "fail shape CT-INFER");
  seen.rig = {Fault::aliased};
  EXPECT_EQ(verdict(legal, seen), "fail aliased CT-ALIAS");
}

TEST(JudgeTheRig, FailsARefusalThatWrote) {
  Observation seen = ended(Refused{""});
  seen.rig = {Fault::wrote_on_refusal};
  EXPECT_EQ(verdict(illegal, seen), "fail wrote-on-refusal CT-REFUSE");
}

TEST(JudgeTheRig, ChargesAMissingRefusalBeforeWhatIsLeftInItsBuffers) {
  Observation seen = gave("f32{1}");
  seen.rig = {Fault::left_unwritten};
  EXPECT_EQ(verdict(illegal, seen), "fail accepted ONNX-T13-X3");
  seen.rig = {Fault::wrote_outside};
  EXPECT_EQ(verdict(illegal, seen), "fail wrote-outside CT-BOUNDS");
}

TEST(JudgeTheRig, ChargesWhatIsWorseThanAMissingRefusal) {
  Observation seen = gave("f32{1}");
  seen.rig = {Fault::changed_input};
  EXPECT_EQ(verdict(illegal, seen), "fail changed-input CT-INPUT");
  seen.rig = {Fault::called_oracle};
  EXPECT_EQ(verdict(illegal, seen), "fail called-oracle CT-SELF");
}

TEST(JudgeTheRig, SaysWhatEveryConcurrentCallGave) {
  const std::string literal = "openvino-tile-1 f32[3] x i64{1} @threads=2";
  Observation seen = right_answer(literal);
  std::get<Produced>(seen.outcome).outputs[1] = tensor("f32{0,0,0}");
  seen.rig = {Fault::wrote_outside};
  seen.details = "wrote outside";
  EXPECT_EQ(judged(literal, seen).now().words.find("wrote outside\nelement [0] is 0x00000000 (0)"), 0U)
      << judged(literal, seen).now().words;
}

TEST(JudgeTheRig, ChargesTheOraclesCall) {
  Observation seen = right_answer(legal);
  seen.rig = {Fault::called_oracle};
  EXPECT_EQ(verdict(legal, seen), "fail called-oracle CT-SELF");
}

TEST(JudgeInference, ChargesTheRuleOfTheWrongDimension) {
  Observation seen;
  seen.inferred = Shape{2, 1};
  EXPECT_EQ(verdict("openvino-tile-1 f32[1,1] x i64{2}", seen), "fail shape OV-T1-R2");
  EXPECT_EQ(judged("openvino-tile-1 f32[1,1] x i64{2}", seen).now().words,
            "inferred f32[2,1], expected f32[1,2]");
}

TEST(JudgeInference, TakesItsRefusalForTheOutcome) {
  Observation seen;
  seen.inferred = Error{Error::Code::rejected, "negative"};
  EXPECT_EQ(verdict(illegal, seen), "pass");
  EXPECT_EQ(verdict(legal, seen), "fail refused OV-T1-G2");
  seen.inferred = Error{Error::Code::unsupported, "no"};
  EXPECT_EQ(verdict(legal, seen), "fail claim CT-CLAIM");
  seen.inferred = Error{Error::Code::out_of_memory, "no"};
  EXPECT_EQ(verdict(legal, seen), "fail memory CT-CLAIM");
}

TEST(JudgeInference, AsksForTheShapeAlone) {
  const std::string literal = "openvino-tile-1 f32[65537] x i64{65536} @infer";
  Observation seen;
  seen.inferred = Shape{4295032832};
  EXPECT_EQ(verdict(literal, seen), "pass");
  EXPECT_TRUE(judged(literal, seen).is_vacuous());
  seen.inferred = Shape{65536};
  EXPECT_EQ(verdict(literal, seen), "fail shape OV-T1-G2");
  EXPECT_EQ(verdict(literal, Observation{}), "not-run");
}

TEST(JudgeInference, IsNotWhatRefusesWhereItsRefusalIsFollowedByAnAnswer) {
  Observation seen = gave("f32[0]");
  seen.inferred = Error{Error::Code::rejected, "negative"};
  EXPECT_EQ(verdict(illegal, seen), "fail accepted ONNX-T13-X3");
  seen.inferred.reset();
  EXPECT_EQ(verdict(illegal, seen), "fail accepted ONNX-T13-X3");
}

TEST(JudgeInference, IsHeldAgainstTheOutputThatAWorkerAllocates) {
  Observation seen = right_answer(legal);
  seen.rig = {Fault::shape};
  EXPECT_EQ(verdict(legal, seen, whole_claim(), message_pipe), "fail shape CT-INFER");
  Claim bare = whole_claim();
  bare.infers = false;
  seen.produced_shape = Shape{2};
  EXPECT_EQ(verdict(legal, seen, bare, message_pipe), "fail shape OV-T1-G2");
  seen.produced_shape = Shape{4, 1};
  EXPECT_EQ(verdict(legal, seen, bare, message_pipe), "fail shape OV-T1-O1");
}

// Tests that a wrong shape is charged to the same rule through each of an implementation's three doors.
TEST(JudgeTheShape, ChargesTheSameRuleThroughEveryDoor) {
  struct Wrong {
    std::string literal;
    Shape shape;
    std::string clause;
  };
  for (const Wrong& wrong : {Wrong{"openvino-tile-1 f32[3] x i64{-1}", {3}, "OV-T1-X5"},
                             Wrong{"openvino-tile-1 f32[1] x i64{0}", {1}, "OV-T1-X4"},
                             Wrong{"openvino-tile-1 f32[1,1] x i64{2}", {2, 1}, "OV-T1-R2"},
                             Wrong{"openvino-tile-1 f32[1] x i8{-1}", {255}, "OV-T1-T2"},
                             Wrong{"onnx-tile-13 f32[1] x i64{0}", {1}, "ONNX-T13-O2"},
                             Wrong{"onnx-tile-6 f32[] x i64{}", {1}, "ONNX-T6-X1"},
                             Wrong{"onnx-tile-1 f32[1,1] x f32[]{2} along f32[]{0}", {1, 2}, "ONNX-T1-I3"}}) {
    Observation inferred;
    inferred.inferred = wrong.shape;
    Observation produced;
    produced.outcome = Produced{};
    produced.produced_shape = wrong.shape;
    produced.rig = {Fault::shape};
    Claim bare = whole_claim();
    bare.infers = false;
    EXPECT_EQ(verdict(wrong.literal, inferred), "fail shape " + wrong.clause) << wrong.literal;
    EXPECT_EQ(verdict(wrong.literal, inferred, whole_claim(), message_pipe), "fail shape " + wrong.clause)
        << wrong.literal;
    EXPECT_EQ(verdict(wrong.literal, produced, bare, message_pipe), "fail shape " + wrong.clause)
        << wrong.literal;
  }
}

TEST(JudgeTheShape, TellsBroadcastingByTheProducedShapeToo) {
  const std::string literal = "onnx-tile-13 f32[1,1] x i64{2}";
  Observation seen;
  seen.outcome = Produced{};
  seen.produced_shape = Shape{1, 2};
  EXPECT_EQ(verdict(literal, seen, whole_claim(), message_pipe), "fail accepted ONNX-T13-S3");
  seen.produced_shape = Shape{2};
  EXPECT_EQ(verdict(literal, seen, whole_claim(), message_pipe), "fail accepted ONNX-T13-X7");
}

TEST(JudgeInference, ExcusesNobodyWhoIsAskedForElements) {
  Claim bare = whole_claim();
  bare.infers = false;
  EXPECT_EQ(verdict(legal, ended(Unsupported{"no"}), bare), "fail claim CT-CLAIM");
  EXPECT_EQ(verdict(illegal, ended(Unsupported{"no"}), bare), "fail claim CT-CLAIM");
}

TEST(JudgeInference, CountsAsUnsupportedWhereThereIsNone) {
  Claim bare = whole_claim();
  bare.infers = false;
  EXPECT_EQ(verdict("openvino-tile-1 f32[3] x i64{2} @infer", ended(Unsupported{"it has none"}), bare),
            "unsupported");
}

TEST(JudgeInference, ProvesNoShapeWhereThereIsNone) {
  Claim bare = whole_claim();
  bare.infers = false;
  Observation seen = right_answer(legal);
  seen.inferred.reset();
  const Record record = judged(legal, seen, bare);
  EXPECT_EQ(record.now().verdict, Verdict::pass);
  EXPECT_EQ(std::ranges::count(record.judged.exercised, "OV-T1-O1"), 0);
  EXPECT_EQ(std::ranges::count(record.judged.exercised, "OV-T1-G2"), 1);
}

TEST(JudgeElements, ChargesBitsThatChangedOnTheirWay) {
  EXPECT_EQ(verdict("openvino-tile-1 f32{0x7fa00001} x i64{1}", gave("f32{0x7fe00001}")),
            "fail elements CT-BITS");
  EXPECT_EQ(verdict("openvino-tile-1 u32{16777217} x i64{1}", gave("u32{16777216}")),
            "fail elements CT-BITS");
}

TEST(JudgeElements, DoesNotTakeOneValueEverywhereForChangedBits) {
  EXPECT_EQ(verdict("openvino-tile-1 f32{1,2} x i64{2}", gave("f32{0,0,0,0}")), "fail elements OV-T1-G2");
  EXPECT_EQ(verdict("openvino-tile-1 f32{1e-45,0} x i64{1}", gave("f32{0,0}")), "fail elements CT-BITS");
}

TEST(JudgeElements, ChargesTheLayoutWithElementsInTheOppositeOrderOfTheirBytes) {
  // The halves of 0x21 0xf3, exchanged: 2 1 15 3 of which three are the data.
  const std::string three = "openvino-tile-1 u4{1,2,3} x i64{2}";
  EXPECT_EQ(verdict(three, gave("u4{1,2,2,15,15,1}")), "fail elements OV-T1-X14");
  EXPECT_EQ(verdict(three, gave("u4{2,1,3,2,1,3}")), "fail elements OV-T1-G2");
  EXPECT_EQ(verdict("openvino-tile-1 u1[1,2,1]{1,0} x u8{2,1}", gave("u1[1,4,1]{1,1,0,0}")),
            "fail elements OV-T1-G2");
}

TEST(JudgeElements, ChargesThreadsWithElementsOfAnotherCall) {
  const std::string literal = "openvino-tile-1 f32[3] x i64{1} @threads=2";
  Observation seen = right_answer(literal);
  auto& outputs = std::get<Produced>(seen.outcome).outputs;
  outputs[1] = outputs[0];
  EXPECT_EQ(verdict(literal, seen), "fail elements CT-THREADS");
  EXPECT_TRUE(judged(literal, seen).now().words.ends_with("\nit is an element of another concurrent call"));
}

TEST(JudgeElements, ComparesEveryConcurrentCall) {
  const std::string literal = "openvino-tile-1 f32[3] x i64{1} @threads=2";
  EXPECT_EQ(verdict(literal, right_answer(literal)), "pass");
  Observation seen = right_answer(literal);
  std::get<Produced>(seen.outcome).outputs.pop_back();
  EXPECT_EQ(verdict(literal, seen), "fail left-unwritten CT-WRITE");
}

TEST(JudgeSteadiness, ChargesAFailureThatDoesNotComeAlone) {
  Observation seen = gave("f32{1,1,2,2}");
  seen.reproduces_alone = false;
  EXPECT_EQ(verdict(legal, seen), "fail unsteady CT-STEADY");
}

TEST(JudgeSteadiness, ChargesWhatIsChangedOrKeptWhateverCallsItTook) {
  Observation seen = right_answer(legal);
  seen.reproduces_alone = false;
  seen.rig = {Fault::changed_state};
  EXPECT_EQ(verdict(legal, seen), "fail changed-state CT-STATE");
  seen.rig = {Fault::leaked};
  EXPECT_EQ(verdict(legal, seen), "fail leaked CT-LEAK");
}

}  // namespace
}  // namespace certile::conformance
