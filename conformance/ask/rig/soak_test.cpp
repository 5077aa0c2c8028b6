// Tests soaks: what is kept by each of many calls, and what goes wrong after many.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>

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

TEST(Soak, ChargesWhatIsTakenForAnotherCall) {
  for (const auto& [name, operands] :
       {std::pair{"M408", "f32[8,64] x i64{2,1}"}, std::pair{"M409", "f32[8,2048] x i64{1,1}"},
        std::pair{"M410", "f32[8,2048] x i64{1,1}"}, std::pair{"M411", "u8[2,3] x i64{2,1}"}}) {
    // M409 is wrong only where a thread may use fewer processors than before.
    if (name == std::string("M409") && std::thread::hardware_concurrency() < 2) continue;
    const Finding found = finding_of(std::string(CERTILE_MUTANTS) + "/" + name + ".so",
                                     "onnx-tile-13 " + std::string(operands) + " @calls=1000");
    EXPECT_EQ(found.charged, "CT-STEADY") << name << ": " << found.words;
  }
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
