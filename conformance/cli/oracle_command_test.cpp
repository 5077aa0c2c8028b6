#include "conformance/cli/commands.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

#include "reference/values/oracle_calls.hpp"

namespace certile::conformance {
namespace {

struct Answered {
  int exit_code;
  std::string out;
  std::string error;
};

Answered asked(const std::string& literal, bool shape_only = false, const std::string& lines = "") {
  std::istringstream in(lines);
  std::ostringstream out;
  std::ostringstream error;
  const int exit_code = oracle_command({literal, shape_only}, in, out, error);
  return {exit_code, out.str(), error.str()};
}

std::string answer(const std::string& literal, bool shape_only = false) {
  return asked(literal, shape_only).out;
}

TEST(OracleCommand, AnswersWithACorpusLine) {
  EXPECT_EQ(answer("openvino-tile-1 f32[2] x i64{2,2}"),
            "openvino-tile-1 f32[2] x i64{2,2} => f32[2,4]{1,2,1,2,1,2,1,2}\n");
  EXPECT_EQ(answer("onnx-tile-1 f32{7,8} x f32{2} along i64[]{0}"),
            "onnx-tile-1 f32{7,8} x f32{2} along i64[]{0} => f32{7,8,7,8}\n");
  EXPECT_EQ(answer("openvino-tile-1 string{\"a\"} x i64{2}"),
            "openvino-tile-1 string{\"a\"} x i64{2} => string{\"a\",\"a\"}\n");
  EXPECT_EQ(answer("openvino-tile-1 f32[] x i64{}"), "openvino-tile-1 f32[] x i64{} => f32[]{1}\n");
}

TEST(OracleCommand, PrintsTheCanonicalLiteral) {
  EXPECT_EQ(answer("openvino-tile-1 i8[1]{0x80} x i64[1]{1} # words"),
            "openvino-tile-1 i8{-128} x i64{1} => i8{-128}\n");
}

TEST(OracleCommand, NamesTheClauseOfARefusal) {
  const Answered seen = asked("onnx-tile-13 f32[2] x i64{2,2}");
  EXPECT_EQ(seen.out, "onnx-tile-13 f32[2] x i64{2,2} => reject # ONNX-T13-I3\n");
  EXPECT_EQ(seen.exit_code, 0);
}

TEST(OracleCommand, NamesTheClauseThatLeavesACaseOpen) {
  EXPECT_EQ(answer("openvino-tile-1 c64[2] x i64{1}"),
            "openvino-tile-1 c64[2] x i64{1} => unspecified # OV-T1-T1\n");
}

TEST(OracleCommand, ComputesNoElementsForTheShapeAlone) {
  EXPECT_EQ(answer("openvino-tile-1 f32[65537] x i64{65536}", true),
            "openvino-tile-1 f32[65537] x i64{65536} => f32[4295032832]\n");
  EXPECT_EQ(answer("openvino-tile-1 f32[2] x i64{2}", true), "openvino-tile-1 f32[2] x i64{2} => f32[4]\n");
  EXPECT_EQ(answer("openvino-tile-1 f32[3] x i64{6148914691236517206}", true),
            "openvino-tile-1 f32[3] x i64{6148914691236517206} => reject # OV-T1-X9\n");
  EXPECT_EQ(answer("openvino-tile-1 f32[9223372036854775807] x i64{1} @infer"),
            "openvino-tile-1 f32[9223372036854775807] x i64{1} @infer => f32[9223372036854775807]\n");
}

TEST(OracleCommand, NeedsNoDataWhereTheAnswerIsEmpty) {
  EXPECT_EQ(answer("openvino-tile-1 f32[9223372036854775807] x i64{0}"),
            "openvino-tile-1 f32[9223372036854775807] x i64{0} => f32[0]\n");
}

TEST(OracleCommand, SendsLargeAnswersToShape) {
  const std::string sentence =
      "certile: the answer is larger than 1 MiB; ask for its shape alone with --shape\n";
  for (const char* literal :
       {"openvino-tile-1 u8[1048577] x i64{1}", "openvino-tile-1 u1[8] x i64{1048577}",
        "openvino-tile-1 f32[9223372036854775807] x i64{1}", "openvino-tile-1 string[50000] x i64{1}"}) {
    const Answered seen = asked(literal);
    EXPECT_EQ(seen.error, sentence) << literal;
    EXPECT_EQ(seen.out, "") << literal;
    EXPECT_EQ(seen.exit_code, 2) << literal;
  }
  EXPECT_EQ(asked("openvino-tile-1 u8[1048576] x i64{1}").exit_code, 0);
}

TEST(OracleCommand, ExplainsABadLiteralInOneSentence) {
  const Answered seen = asked("openvino-tile-1 f33[2] x i64{1}");
  EXPECT_EQ(seen.error,
            "certile: column 17: expected an element type such as f32, found \"f33\"\n"
            "  openvino-tile-1 f33[2] x i64{1}\n                  ^\n");
  EXPECT_EQ(seen.out, "");
  EXPECT_EQ(seen.exit_code, 2);
}

TEST(OracleCommand, AnswersEveryLineInOrder) {
  const Answered seen = asked("-", false,
                              "# a corpus\n"
                              "\n"
                              "openvino-tile-1 u8{1} x i64{2}\n"
                              "   \n"
                              "openvino-tile-1 u8{1} y\n"
                              "onnx-tile-6 f32[2] x i64{-1} => reject # ONNX-T6-X3\n"
                              "openvino-tile-1 f32[0] x i64{2}");
  EXPECT_EQ(seen.out,
            "openvino-tile-1 u8{1} x i64{2} => u8{1,1}\n"
            "error: column 22: expected \" x \" and the repeats, found a space\n"
            "onnx-tile-6 f32[2] x i64{-1} => reject # ONNX-T6-X3\n"
            "openvino-tile-1 f32[0] x i64{2} => f32[0]\n");
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.exit_code, 2);
  EXPECT_EQ(asked("-", true, "openvino-tile-1 u8{1} x i64{2}\n").exit_code, 0);
  EXPECT_EQ(asked("-").exit_code, 0);
}

TEST(OracleCommand, SaysWhereAnExpectationIsAnother) {
  const auto sentence = [](const std::string& literal) { return asked(literal).error; };
  EXPECT_EQ(sentence("openvino-tile-1 u8{1,2} x i64{2} => u8[4]{1,2,1,2}"), "");
  EXPECT_EQ(sentence("openvino-tile-1 u8{1,2} x i64{2} => u8[4]"), "");
  EXPECT_EQ(sentence("openvino-tile-1 u8{1,2} x i64{2} => u8{1,1,2,2}"),
            "certile: expected element 1 to be 1, the oracle says 2\n");
  EXPECT_EQ(sentence("openvino-tile-1 u8{1,2} x i64{2} => u8[2,2]"),
            "certile: expected u8[2,2], the oracle says u8[4]\n");
  EXPECT_EQ(sentence("openvino-tile-1 u8{1,2} x i64{2} => i8[4]"),
            "certile: expected i8[4], the oracle says u8[4]\n");
  EXPECT_EQ(sentence("openvino-tile-1 u8{1,2} x i64{2} => reject"),
            "certile: expected reject, the oracle says u8[4]\n");
  EXPECT_EQ(sentence("onnx-tile-13 u8{1,2} x i64{2,1} => u8[2]"),
            "certile: expected u8[2], the oracle says reject # ONNX-T13-I3\n");
  EXPECT_EQ(asked("openvino-tile-1 u8{1,2} x i64{2} => reject").exit_code, 2);
}

TEST(OracleCommand, ChecksTheClauseThatAnExpectationNames) {
  const auto sentence = [](const std::string& literal) { return asked(literal).error; };
  const std::string refused = "openvino-tile-1 f32[2] x f32{2} => reject";
  EXPECT_EQ(sentence(refused + " # OV-T1-T2"), "");
  EXPECT_EQ(sentence(refused + " # OV-T1-T2 it is no integer"), "");
  EXPECT_EQ(sentence(refused + " # it is no integer"), "");
  EXPECT_EQ(sentence(refused + " # OV-T1-X3"),
            "certile: expected reject # OV-T1-X3, the oracle says reject # OV-T1-T2\n");
  EXPECT_EQ(asked(refused + " # OV-T1-X3").exit_code, 2);
  const std::string open = "openvino-tile-1 c64[2] x i64{1} => unspecified";
  EXPECT_EQ(sentence(open + " # OV-T1-T1"), "");
  EXPECT_EQ(sentence(open + " # OV-T1-T2"),
            "certile: expected unspecified # OV-T1-T2, the oracle says unspecified # OV-T1-T1\n");
  EXPECT_EQ(sentence("openvino-tile-1 u8{1} x i64{2} => u8[2] # OV-T1-E1"), "");
}

TEST(OracleCommand, RefusesBeforeItLooksAtWhatIsOpen) {
  EXPECT_EQ(answer("openvino-tile-1 c64[2] x f32{2}"),
            "openvino-tile-1 c64[2] x f32{2} => reject # OV-T1-T2\n");
  EXPECT_EQ(answer("openvino-tile-1 c64[2] x i64[]{2}"),
            "openvino-tile-1 c64[2] x i64[]{2} => reject # OV-T1-X3\n");
  EXPECT_EQ(answer("openvino-tile-1 c64[3] x i64{6148914691236517206}"),
            "openvino-tile-1 c64[3] x i64{6148914691236517206} => reject # OV-T1-X9\n");
}

TEST(OracleCommand, AsksBothOraclesForShapes) {
  for (const char* literal : {"openvino-tile-1 u8[65537] x i64{65536}", "openvino-tile-1 c64[2] x i64{2}",
                              "openvino-tile-1 f32[3] x i64{6148914691236517206}"}) {
    const std::uint64_t before = oracle_calls.load();
    EXPECT_EQ(asked(literal, true).exit_code, 0);
    EXPECT_EQ(oracle_calls.load(), before + 1)
        << literal;  // a call of the second oracle: the first one's shapes are not counted
  }
}

TEST(OracleCommand, AnswersOneCallHoweverManyAreMade) {
  EXPECT_EQ(answer("openvino-tile-1 u8{1} x i64{2} @threads=64"),
            "openvino-tile-1 u8{1} x i64{2} @threads=64 => u8{1,1}\n");
}

}  // namespace
}  // namespace certile::conformance
