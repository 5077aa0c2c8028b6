// Tests soaks: what is kept by each of many calls, and what goes wrong after many.
#include <gtest/gtest.h>
#include <sched.h>

#include <string>

#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

Finding finding_of(const std::string& spelling, const std::string& literal) {
  const auto records = records_of(spelling, {literal});
  EXPECT_EQ(records.size(), 1U) << literal;
  return records.empty() ? Finding{} : records[0].now();
}

TEST(Soak, AccusesNothingThatALibraryMayKeep) {
  for (const char* literal :
       {"onnx-tile-13 u8[2,3] x i64{2,1} @calls=300000", "onnx-tile-13 f32[3] x i64{2,2} @calls=300000"}) {
    const Finding found = finding_of(test_plugin("right_but_odd"), literal);
    EXPECT_EQ(found.verdict, Verdict::pass) << literal << "\n" << found.words;
  }
}

TEST(Soak, ChargesWhatEachCallKeeps) {
  const Finding found = finding_of(test_plugin("leaks"), "onnx-tile-13 u8[2,3] x i64{2,1} @calls=1000");
  EXPECT_EQ(found.charged, "CT-LEAK") << found.words;
  EXPECT_EQ(found.words.substr(0, 9), "it keeps ") << found.words;
}

TEST(Soak, ChargesAnAnswerThatChangesLate) {
  const Finding found =
      finding_of(test_plugin("wrong_from_call_500"), "onnx-tile-13 u8[2,3] x i64{2,1} @calls=2000");
  EXPECT_EQ(found.charged, "CT-STEADY") << found.words;
  EXPECT_NE(found.words.find("of a soak was answered unlike the calls before"), std::string::npos)
      << found.words;
}

TEST(Soak, ChargesACallThatGivesItsThreadMoreProcessors) {
  const Finding found =
      finding_of(test_plugin("frees_its_thread"), "onnx-tile-13 u8[2,3] x i64{2,1} @calls=1000");
  EXPECT_EQ(found.charged, "CT-STATE") << found.words;
}

TEST(Soak, ChargesCharactersThatOtherThreadsOverwrite) {
  const Finding found =
      finding_of(test_plugin("strings_in_a_ring"), "onnx-tile-13 string{\"a\",\"bc\"} x i64{2} @calls=1000");
  EXPECT_EQ(found.verdict, Verdict::fail) << found.words;
  EXPECT_NE(found.words.find("of a soak was answered unlike"), std::string::npos) << found.words;
}

// A library may overflow without a refusal at the level text; a soak of a call that it refuses tries no other
// overflows.
TEST(Soak, MakesNoUncheckedCallsWhereARefusalIsDue) {
  const Finding found =
      finding_of(std::string(CERTILE_MUTANTS) + "/M79.so",
                 "onnx-tile-1 f16[2,3] x i64[]{4611686018427387904} along i64[]{0} @calls=1000");
  EXPECT_EQ(found.verdict, Verdict::pass) << found.words;
}

// Returns what a soak of these operands charges a mutant with.
std::string charged_with(const std::string& mutant, const std::string& operands) {
  const Finding found = finding_of(std::string(CERTILE_MUTANTS) + "/" + mutant + ".so",
                                   "onnx-tile-13 " + operands + " @calls=1000");
  return std::string(found.charged);
}

TEST(Soak, ChargesWhatIsTakenForAnotherCall) {
  EXPECT_EQ(charged_with("M408", "f32[8,64] x i64{2,1}"), "CT-STEADY");
  EXPECT_EQ(charged_with("M410", "f32[8,2048] x i64{1,1}"), "CT-STEADY");
  EXPECT_EQ(charged_with("M411", "u8[2,3] x i64{2,1}"), "CT-STEADY");
}

TEST(Soak, ChargesProcessesThatCallsLeave) {
  EXPECT_EQ(charged_with("M452", "u8[2,3] x i64{2,1}"), "CT-LEAK");
  EXPECT_EQ(charged_with("M454", "u8[2,3] x i64{2,1}"), "CT-LEAK");
}

TEST(Soak, AccusesNoCacheWithABound) {
  for (const char* odd : {"O03", "O22", "O24", "O26"})
    EXPECT_EQ(charged_with(odd, "u8[2,3] x i64{2,1}"), "") << odd;
}

TEST(Soak, ChargesACallThatCountsOnTheProcessorsOfAnother) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  if (CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "there is one processor";
  EXPECT_EQ(charged_with("M409", "f32[8,2048] x i64{1,1}"), "CT-STEADY");
}

TEST(Soak, PassesForBuiltIns) {
  for (const char* name : {"scalar", "simd"})
    for (const char* literal :
         {"onnx-tile-13 string{\"a\",\"bc\"} x i64{2} @calls=20000",
          "openvino-tile-1 u4[3] x i64{3} @calls=20000", "onnx-tile-6 f32[2] x i64{-1} @calls=20000"}) {
      const Finding found = finding_of(name, literal);
      EXPECT_EQ(found.verdict, Verdict::pass) << name << " " << literal << "\n" << found.words;
    }
}

}  // namespace
}  // namespace certile::conformance
