#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

using Literals = std::vector<std::string>;

Record record_of(const std::string& plugin, const std::string& literal) {
  const auto records = records_of(test_plugin(plugin), {literal});
  return records.empty() ? Record{} : records.back();
}

TEST(DiagnosisOfThreads, BlamesThreadsForWhatOneThreadGetsRight) {
  if (has_race_detector()) GTEST_SKIP() << "this sanitizer reports the race itself";
  const Record record = record_of("races", "onnx-tile-13 u8[1000] x i64{50} @threads=2");
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().charged, "CT-THREADS");
  EXPECT_EQ(record.now().fault, Fault::raced);
}

TEST(DiagnosisOfThreads, DoesNotBlameThreadsForWhatOneThreadGetsWrongToo) {
  const Record record = record_of("unwritten_tail", "onnx-tile-13 u8[7] x i64{3} @threads=2");
  EXPECT_EQ(record.now().charged, "CT-WRITE");
  EXPECT_EQ(record.now().fault, Fault::left_unwritten);
  EXPECT_EQ(record.reproduce(), Literals{"onnx-tile-13 u8[7] x i64{3}"});
}

// Each of several concurrent calls has separate data, and only the second one's contain a signalling NaN.
TEST(DiagnosisOfThreads, AsksTheDataOfEachCallByItself) {
  const Record record = record_of("quiets_nans", "onnx-tile-13 f32[7,33] x i64{2,3} @threads=4");
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().charged, "CT-BITS") << record.now().words;
  EXPECT_EQ(record.now().fault, Fault::elements);
  EXPECT_EQ(record.reproduce(), Literals{"onnx-tile-13 f32[7,33] x i64{2,3} fill=bits:1"});
  const Record alone = record_of("quiets_nans", record.reproduce().front());
  EXPECT_EQ(alone.now().verdict, Verdict::fail);
  EXPECT_EQ(alone.now().charged, "CT-BITS");
}

TEST(DiagnosisOfThreads, TellsManyCallsFromSeveralThreads) {
  const Record record = record_of("wrong_from_call_500", "onnx-tile-13 u8[3] x i64{2} @threads=2");
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().charged, "CT-STEADY") << record.now().words;
  EXPECT_EQ(record.now().fault, Fault::unsteady);
}

TEST(DiagnosisOfThreads, TellsALeakFromSeveralThreads) {
  if (!has_address_space_limit()) GTEST_SKIP() << "no memory limit is in force";
  const Record record = record_of("leaks", "onnx-tile-13 u8[3] x i64{2} @threads=2");
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().charged, "CT-STEADY") << record.now().words;
  EXPECT_NE(record.now().words.find("ran out of memory"), std::string::npos) << record.now().words;
}

TEST(DiagnosisOfThreads, TellsAnAddressFromSeveralThreads) {
  // The buffers are so large that malloc maps separate pages, and begins 16 bytes past a multiple of 64.
  if (!has_address_space_limit()) GTEST_SKIP() << "another malloc gives other addresses";
  const Record record = record_of("wrong_at_16_of_64", "onnx-tile-13 f32[1024] x i64{40} @threads=2");
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_EQ(record.now().charged, "CT-PLACE") << record.now().words;
  EXPECT_EQ(record.reproduce(), Literals{"onnx-tile-13 f32[1024] x i64{40} @offset=16"});
}

TEST(DiagnosisOfThreads, AccusesNoRightLibrary) {
  const Record record =
      records_of(example_plugin("libexample"), {"onnx-tile-13 f32[7,33] x i64{2,3} @threads=4"}).front();
  EXPECT_EQ(record.now().verdict, Verdict::pass) << record.now().words;
}

}  // namespace
}  // namespace certile::conformance
