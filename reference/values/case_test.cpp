#include "reference/values/case.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/tensor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace certile {
namespace {

// Returns the canonical spelling of a literal, or the sentence that refuses the literal.
std::string canonical(const std::string& literal) {
  const Result<Case> question = parse_case(literal);
  return question ? to_string(*question) : question.error().what;
}

TEST(CaseLiteral, PrintsBackExactlyWhatItParsed) {
  const std::vector<std::string> literals{
      "openvino-tile-1 f32[2,3] x i64{2,2,2}",
      "onnx-tile-13 f32{0x7fc00001,-0,1.5} x i64{3}",
      "onnx-tile-1 f32[2,3] x f32[]{2} along f32[]{1}",
      "onnx-tile-1 f16[2,3] x i64[1,1]{2} along i64{-1} fill=special @threads=4",
      "openvino-tile-1 i4[2,3] x i64{1,2} fill=bits:42",
      "openvino-tile-1 u8[3] x i32{2,0,3} @guard=after",
      ("openvino-tile-1 u8[3] x i32[1,2]{2,0} fill=special:18446744073709551615 "
       "@guard=before,infer,threads=64"),
      "openvino-tile-1 f64[] x i64{} @offset=56",
      "openvino-tile-1 f64[] x i64{} @output=8",
      "openvino-tile-1 u8[7] x i64{1} @offset=3,output=0",
      "openvino-tile-1 f32[0,3] x i64[2,0]{} fill=bits:0",
      "openvino-tile-1 string{\"a b\",\"\\u0000\",0xff} x u64{18446744073709551615}",
      "onnx-tile-6 boolean[1,2]{0,1} x i64{-9223372036854775808,0}",
      "openvino-tile-1 f32[9223372036854775807] x i64{9223372036854775807} @infer",
  };
  for (const std::string& literal : literals)
    EXPECT_EQ(canonical(literal), literal);
}

TEST(CaseLiteral, SaysWhatItsPartsAre) {
  const Result<Case> question =
      parse_case("onnx-tile-1 f16[2,3] x f16{2} along i64[]{-1} fill=bits:7 @infer,offset=6,threads=2");
  ASSERT_TRUE(question) << question.error().what;
  Case wanted;
  wanted.definition = onnx_tile_1;
  wanted.data = Tensor::without_elements(ElementType::f16, {2, 3});
  wanted.repeats = tensor_spelled(ElementType::f16, {1}, std::vector<std::string>{"2"});
  wanted.axis = tensor_spelled(ElementType::i64, {}, std::vector<std::string>{"-1"});
  wanted.fill = {Fill::Kind::bits, 7};
  wanted.placement = {.offset = 6, .threads = 2, .shape_only = true};
  EXPECT_EQ(*question, wanted);
}

TEST(CaseLiteral, DropsARankOneShapeBesideElements) {
  EXPECT_EQ(canonical("openvino-tile-1 f32[2]{1,2} x i64[1]{2}"), "openvino-tile-1 f32{1,2} x i64{2}");
}

TEST(CaseLiteral, ReadsBothSpellingsOfEmptyTensors) {
  EXPECT_EQ(canonical("openvino-tile-1 f32[0]{} x i64[0]"), "openvino-tile-1 f32[0] x i64{}");
  EXPECT_EQ(canonical("openvino-tile-1 f32{} x i64[0]{}"), "openvino-tile-1 f32[0] x i64{}");
  EXPECT_EQ(canonical("openvino-tile-1 f32[0,3]{} x i64[3,0]"), "openvino-tile-1 f32[0,3] x i64[3,0]{}");
}

TEST(CaseLiteral, SpellsNumbersInTheirShortestForm) {
  EXPECT_EQ(canonical("openvino-tile-1 f32{1.50,1E+05,-0.0,100000,0x3fc00000} x i64{0x0000000000000002}"),
            "openvino-tile-1 f32{1.5,1e5,-0,1e5,1.5} x i64{2}");
  EXPECT_EQ(canonical("openvino-tile-1 i8{0xFF,-0} x i64{1}"), "openvino-tile-1 i8{-1,0} x i64{1}");
  EXPECT_EQ(canonical("openvino-tile-1 f32{0x7FC00001} x i64{1}"),
            "openvino-tile-1 f32{0x7fc00001} x i64{1}");
}

TEST(CaseLiteral, LeavesDefaultsOut) {
  EXPECT_EQ(canonical("openvino-tile-1 f32[1] x i64{1} fill=index @offset=0,threads=1"),
            "openvino-tile-1 f32[1] x i64{1}");
  EXPECT_EQ(canonical("openvino-tile-1 f32[1] x i64{1} fill=special:0"),
            "openvino-tile-1 f32[1] x i64{1} fill=special");
}

TEST(CaseLiteral, SortsThePlacement) {
  EXPECT_EQ(canonical("openvino-tile-1 f32[1] x i64{1} @threads=2,infer,guard=after"),
            "openvino-tile-1 f32[1] x i64{1} @guard=after,infer,threads=2");
}

TEST(CaseLiteral, TakesAnyOffsetForPackedTypes) {
  const std::string literal = "openvino-tile-1 u3[5] x i64{2} @offset=63";
  EXPECT_EQ(canonical(literal), literal);
}

TEST(CaseLiteral, CountsElementsBehindAZeroDimensionAsNone) {
  const std::string literal = "openvino-tile-1 f32[9223372036854775807,9223372036854775807,0] x i64{1}";
  EXPECT_EQ(canonical(literal), literal);
}

TEST(CaseLiteral, MayBe4096CharactersLong) {
  const std::string head = "openvino-tile-1 string{\"";
  const std::string tail = "\"} x i64{1}";
  const std::string literal = head + std::string(4096 - head.size() - tail.size(), 'a') + tail;
  EXPECT_EQ(canonical(literal), literal);
}

TEST(CaseLiteral, KnowsEachDefinitionByItsName) {
  for (const DefinitionId definition : all_definitions())
    EXPECT_EQ(definition_named(name(definition)), definition);
  EXPECT_FALSE(definition_named("onnx-tile-7"));
}

TEST(CorpusLine, ReadsACaseAlone) {
  const Result<CorpusLine> line = parse_corpus_line("openvino-tile-1 f32[2] x i64{2}  ");
  ASSERT_TRUE(line) << line.error().what;
  EXPECT_EQ(to_string(line->question), "openvino-tile-1 f32[2] x i64{2}");
  EXPECT_EQ(line->expects, CorpusLine::Expects::whatever_the_oracle_says);
  EXPECT_EQ(line->words, "");
}

TEST(CorpusLine, ReadsARefusalAndWords) {
  const Result<CorpusLine> line =
      parse_corpus_line("onnx-tile-13 f32[2] x i64{2,2}=>reject#  ONNX-T13-I3 # \u2264  ");
  ASSERT_TRUE(line) << line.error().what;
  EXPECT_EQ(line->expects, CorpusLine::Expects::reject);
  EXPECT_EQ(line->words, "ONNX-T13-I3 # \u2264");
}

TEST(CorpusLine, ReadsWhatIsLeftOpen) {
  const Result<CorpusLine> line =
      parse_corpus_line("openvino-tile-1 c64[2] x i64{2} @guard=after => unspecified");
  ASSERT_TRUE(line) << line.error().what;
  EXPECT_EQ(line->expects, CorpusLine::Expects::unspecified);
}

TEST(CorpusLine, ReadsATensor) {
  const Result<CorpusLine> line =
      parse_corpus_line("openvino-tile-1 f32{1} x i64{2} =>  f32[2]{1,1.0} # twice");
  ASSERT_TRUE(line) << line.error().what;
  EXPECT_EQ(line->expects, CorpusLine::Expects::tensor);
  const Tensor wanted = tensor_spelled(ElementType::f32, {2}, std::vector<std::string>{"1", "1"});
  EXPECT_EQ(line->tensor, wanted);
  EXPECT_EQ(line->words, "twice");
}

TEST(CorpusLine, FindsNoArrowOrHashInsideAString) {
  const Result<CorpusLine> line =
      parse_corpus_line("openvino-tile-1 string{\"=> # \\\" \"} x i64{2} # words");
  ASSERT_TRUE(line) << line.error().what;
  EXPECT_EQ(to_string(line->question), "openvino-tile-1 string{\"=> # \\\" \"} x i64{2}");
  EXPECT_EQ(line->words, "words");
}

TEST(CorpusLine, MayHaveAnAnswerLongerThanALiteral) {
  std::string line = "openvino-tile-1 u8{7} x i64{5000} => u8{7";
  for (int copy = 1; copy < 5000; ++copy)
    line += ",7";
  EXPECT_TRUE(parse_corpus_line(line + "}"));
}

}  // namespace
}  // namespace certile
