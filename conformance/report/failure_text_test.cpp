#include <gtest/gtest.h>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

const std::string failed_case = "openvino-tile-1 f32[2,3] x i64{2,2}";

TEST(FailureText, HasASummaryTheEvidenceAndTheNextCommand) {
  Record record = example_failure(failed_case, {"OV-T1-X4"});
  record.backend = "simd-avx2";
  EXPECT_EQ(describe_failure(record, "simd-avx2"),
            "fail  simd-avx2  openvino-tile-1 f32[2,3] x i64{2,2}   elements   [OV-T1-X4 zero-repeat]\n"
            "      element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs\n"
            "      look closer: certile run simd-avx2 'openvino-tile-1 f32[2,3] x i64{2,2}'\n");
}

TEST(FailureText, OfACallThatWasLateNamesTheOptionForSlowBackends) {
  Record record = example_failure(failed_case, {"OV-T1-X4"});
  record.backend = "mine";
  record.amendments.back().fault = Fault::timeout;
  record.amendments.back().words = "gave no answer within 10000 ms";
  EXPECT_EQ(describe_failure(record, "mine"),
            "fail  mine  openvino-tile-1 f32[2,3] x i64{2,2}   timeout   [OV-T1-X4 zero-repeat]\n"
            "      gave no answer within 10000 ms\n"
            "      if it is only slow, --time-limit SECONDS gives each call more time\n"
            "      look closer: certile run mine 'openvino-tile-1 f32[2,3] x i64{2,2}'\n");
}

TEST(FailureText, WhatTheBackendSaysNeverReachesTheTerminalRaw) {
  Record record = example_failure(failed_case, {"OV-T1-X4"});
  record.backend = "\x1b[2Jmine";
  record.amendments.back().words = "it said: \x1b]0;title\a\nsecond\rline";
  EXPECT_EQ(
      describe_failure(record, "./mine.so"),
      "fail  \"\\x1b[2Jmine\"  openvino-tile-1 f32[2,3] x i64{2,2}   elements   [OV-T1-X4 zero-repeat]\n"
      "      it said: \\x1b]0;title\\x07\n"
      "      second\\x0dline\n"
      "      look closer: certile run ./mine.so 'openvino-tile-1 f32[2,3] x i64{2,2}'\n");
}

TEST(FailureText, LongEvidenceIsCutAndTheCommandIsNot) {
  Record record = example_failure(failed_case, {"OV-T1-X4"});
  record.amendments.back().words = std::string(100, 'x');
  EXPECT_EQ(describe_failure(record, "mine", 10),
            "fail  mine  openvino-tile-1 f32[2,3] x i64{2,2}   elements   [OV-T1-X4 zero-repeat]\n"
            "      xxxxxxxxxx…\n"
            "      look closer: certile run mine 'openvino-tile-1 f32[2,3] x i64{2,2}'\n");
}

TEST(ReproduceCommand, NamesEveryCaseThatIsNeededInOrder) {
  Record record = example_failure(failed_case, {"CT-STEADY"});
  record.amendments.back().reproduce = {"openvino-tile-1 f32[1] x i64{0}", failed_case};
  EXPECT_EQ(reproduce_command(record, "mine"),
            "certile run mine 'openvino-tile-1 f32[1] x i64{0}' 'openvino-tile-1 f32[2,3] x i64{2,2}'");
}

TEST(ReproduceCommand, ShowsTheBeginningAndTheEndOfALongHistory) {
  Record record = example_failure(failed_case, {"CT-STEADY"});
  record.amendments.back().reproduce.clear();
  for (int index = 1; index <= 49; ++index)
    record.amendments.back().reproduce.push_back("onnx-tile-13 u8[" + std::to_string(index) + "] x i64{2}");
  EXPECT_EQ(reproduce_command(record, "mine"),
            "certile run mine 'onnx-tile-13 u8[1] x i64{2}' 'onnx-tile-13 u8[2] x i64{2}' "
            "'onnx-tile-13 u8[3] x i64{2}' … 43 more … 'onnx-tile-13 u8[47] x i64{2}' "
            "'onnx-tile-13 u8[48] x i64{2}' 'onnx-tile-13 u8[49] x i64{2}'   "
            "(49 cases, all of them in a file of --records)");
  EXPECT_EQ(record.amendments.back().reproduce.size(), 49U);
  record.amendments.back().reproduce.resize(8);
  EXPECT_EQ(reproduce_command(record, "mine").find("more"), std::string::npos);
}

TEST(ReproduceCommand, FallsBackToTheCaseItself) {
  Record record = example_failure(failed_case, {"CT-BITS"});
  record.amendments.back().reproduce.clear();
  EXPECT_EQ(reproduce_command(record, "mine"), "certile run mine 'openvino-tile-1 f32[2,3] x i64{2,2}'");
}

// Returns the command for a spelling, without its case.
std::string command_of(const std::string& spelling) {
  const std::string command = reproduce_command(example_failure("L", {"CT-BITS"}), spelling);
  return command.substr(0, command.size() - 4);
}

TEST(ReproduceCommand, QuotesSpellingsForAShell) {
  EXPECT_EQ(command_of("./build/libmine-1.so"), "certile run ./build/libmine-1.so");
  EXPECT_EQ(command_of("./my plugin.so"), "certile run './my plugin.so'");
  EXPECT_EQ(command_of("./it's.so"), R"(certile run './it'\''s.so')");
  EXPECT_EQ(command_of("worker:python3 mine.py"), "certile run 'worker:python3 mine.py'");
  EXPECT_EQ(command_of("./$(reboot).so"), "certile run './$(reboot).so'");
  EXPECT_EQ(command_of("./a\\b.so"), R"(certile run './a\b.so')");
}

TEST(ReproduceCommand, SpellsControlCharactersOut) {
  EXPECT_EQ(command_of("./it's\x1b[31m\\.so"), R"(certile run $'./it\'s\x1b[31m\\.so')");
}

}  // namespace
}  // namespace certile::conformance
