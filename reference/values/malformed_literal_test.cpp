// Tests malformed literals by a table: each literal, and the sentence that refuses it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/values/case.hpp"

namespace certile {
namespace {

struct Malformed {
  std::string literal;
  std::string sentence;
};

void expect_sentences(const std::vector<Malformed>& table) {
  for (const Malformed& each : table) {
    const Result<Case> question = parse_case(each.literal);
    ASSERT_FALSE(question) << each.literal << " was read as " << to_string(*question);
    EXPECT_EQ(question.error().what, each.sentence) << each.literal;
    EXPECT_EQ(question.error().code, Error::Code::bad_literal) << each.literal;
  }
}

TEST(MalformedLiteral, NamesAnUnknownOperator) {
  std::string names;
  for (const DefinitionId definition : all_definitions())
    names += std::string(names.empty()                            ? ""
                         : definition == all_definitions().back() ? " or "
                                                                  : ", ") +
             std::string(name(definition));
  const std::string wanted = "column 1: expected a definition (" + names + "), found ";
  expect_sentences({
      {"", wanted + "the end"},
      {" openvino-tile-1 f32[1] x i64{1}", wanted + "a space"},
      {"tile f32[1] x i64{1}", wanted + "\"tile\""},
      {"onnx-tile-7 f32[1] x i64{1}", wanted + "\"onnx-tile-7\""},
      {"OpenVINO-tile-1 f32[1] x i64{1}", wanted + "\"OpenVINO-tile-1\""},
      {"\x1b[0m", wanted + "\"\\x1b\""},
  });
}

TEST(MalformedLiteral, SaysWhichWordIsMissing) {
  expect_sentences({
      {"openvino-tile-1", "column 16: expected a space and the data, found the end"},
      {"openvino-tile-1\tf32[1] x i64{1}", "column 16: expected a space and the data, found \"\\x09\""},
      {"openvino-tile-1  f32[1] x i64{1}", "column 17: expected an element type such as f32, found a space"},
      {"openvino-tile-1 f33[1] x i64{1}", "column 17: expected an element type such as f32, found \"f33\""},
      {"openvino-tile-1 F32[1] x i64{1}", "column 17: expected an element type such as f32, found \"F32\""},
      {"openvino-tile-1 f32 x i64{1}", "column 20: expected [ or {, found a space"},
      {"openvino-tile-1 f32[1]", "column 23: expected \" x \" and the repeats, found the end"},
      {"openvino-tile-1 f32[1]  x i64{1}", "column 23: expected \" x \" and the repeats, found a space"},
      {"openvino-tile-1 f32[1] X i64{1}", "column 23: expected \" x \" and the repeats, found a space"},
      {"openvino-tile-1 f32[1] x ", "column 26: expected an element type such as f32, found the end"},
      {"openvino-tile-1 f32[1] x i64{1} ",
       "column 32: expected \" fill=\", \" @\" or the end, found a space"},
      {"openvino-tile-1 f32{1} x i64{1}#", "column 32: expected \" @\" or the end, found \"#\""},
      {"openvino-tile-1 f32[1] x i64{1} @infer ", "column 39: expected the end, found a space"},
  });
}

TEST(MalformedLiteral, SaysWhatIsWrongWithAShape) {
  const std::string wanted = "column 21: expected a dimension from 0 to 9223372036854775807, found ";
  expect_sentences({
      {"openvino-tile-1 f32[", wanted + "the end"},
      {"openvino-tile-1 f32[-1] x i64{1}", wanted + "\"-1\""},
      {"openvino-tile-1 f32[+1] x i64{1}", wanted + "\"+1\""},
      {"openvino-tile-1 f32[ 1] x i64{1}", wanted + "a space"},
      {"openvino-tile-1 f32[9223372036854775808] x i64{1}", wanted + "\"9223372036854775808\""},
      {"openvino-tile-1 f32[99999999999999999999] x i64{1}", wanted + "\"99999999999999999999\""},
      {"openvino-tile-1 f32[01] x i64{1}", "column 21: a number has no leading zeros"},
      {"openvino-tile-1 f32[1,] x i64{1}",
       "column 23: expected a dimension from 0 to 9223372036854775807, found \"]\""},
      {"openvino-tile-1 f32[1.5] x i64{1}", "column 22: expected , or ] after a dimension, found \".5\""},
      {"openvino-tile-1 f32[1 x i64{1}", "column 22: expected , or ] after a dimension, found a space"},
      {"openvino-tile-1 f32[4294967296,4294967296] x i64{1}",
       "column 20: the shape has more than 2^63 - 1 elements"},
      {"openvino-tile-1 f32[1] x i64[4294967296,4294967296]{1}",
       "column 29: the shape has more than 2^63 - 1 elements"},
  });
}

TEST(MalformedLiteral, SaysWhatIsWrongWithElements) {
  expect_sentences({
      {"openvino-tile-1 f32{", "column 21: expected an element of f32, found the end"},
      {"openvino-tile-1 f32{,1} x i64{1}", "column 21: expected an element of f32, found \",\""},
      {"openvino-tile-1 f32{1,} x i64{1}", "column 23: expected an element of f32, found \"}\""},
      {"openvino-tile-1 f32{1, 2} x i64{1}", "column 23: expected an element of f32, found a space"},
      {"openvino-tile-1 f32{1 x i64{1}", "column 22: expected , or } after an element, found a space"},
      {"openvino-tile-1 f32{1;2} x i64{1}", "column 22: expected , or } after an element, found \";\""},
      {"openvino-tile-1 f32[3]{1,2} x i64{1}", "column 23: the shape has 3 elements, the braces 2"},
      {"openvino-tile-1 f32[]{} x i64{1}", "column 22: the shape has 1 elements, the braces 0"},
      {"openvino-tile-1 f32[0]{1} x i64{1}", "column 23: the shape has 0 elements, the braces 1"},
      {"openvino-tile-1 f32[1] x i64[3]",
       "column 32: expected {, because the elements of repeats are always spelled out, found the end"},
      {"openvino-tile-1 f32[1] x i64[9223372036854775807]{1}",
       "column 50: the shape has 9223372036854775807 elements, the braces 1"},
      {"openvino-tile-1 string{'a'} x i64{1}", "column 24: expected an element of string, found \"'\""},
      {"openvino-tile-1 string{\"a} x i64{1}", "column 24: the string that begins here does not end"},
      {"openvino-tile-1 string{\"a\\\"} x i64{1}", "column 24: the string that begins here does not end"},
      {"openvino-tile-1 string{\"a\\", "column 24: the string that begins here does not end"},
      {"openvino-tile-1 string{\"it's\"} x i64{1}",
       "column 24: the character ' of a string needs an escape, as in \\u0027"},
      {"openvino-tile-1 string{\"\xc3\xa9\"} x i64{1}",
       "column 24: the character \\xc3 of a string needs an escape, as in \\u00c3"},
      {"openvino-tile-1 string{\"\\q\"} x i64{1}", "column 24: a string has no escape \\q"},
      {"openvino-tile-1 string{\"\\u00g0\"} x i64{1}", "column 24: a string has no escape \\u00g0"},
      {"openvino-tile-1 string{\"\\ud800\"} x i64{1}",
       "column 24: the escape \\ud800 is half of a surrogate pair"},
      {"openvino-tile-1 string{\"a\"\"b\"} x i64{1}",
       "column 27: expected , or } after an element, found \"\"\""},
      {"openvino-tile-1 string{0xabc} x i64{1}",
       "column 24: the bytes of a string are 0x and pairs of hexadecimal digits, not 0xabc"},
      {"openvino-tile-1 string{abc} x i64{1}",
       "column 24: a string is spelled in double quotes or as 0x bytes, not abc"},
      {"openvino-tile-1 f32{\"1\"} x i64{1}",
       "column 21: expected a decimal or 0x bits for f32, found \"1\""},
  });
}

TEST(MalformedLiteral, SaysWhichNumberTheTypeDoesNotHold) {
  expect_sentences({
      {"openvino-tile-1 u8{1,256} x i64{1}", "column 22: 256 is out of the range of u8, 0 to 255"},
      {"openvino-tile-1 i4{8} x i64{1}", "column 20: 8 is out of the range of i4, -8 to 7"},
      {"openvino-tile-1 u1{2} x i64{1}", "column 20: 2 is out of the range of u1, 0 to 1"},
      {"openvino-tile-1 boolean{2} x i64{1}", "column 25: 2 is out of the range of boolean, 0 to 1"},
      {"openvino-tile-1 boolean{0x02} x i64{1}", "column 25: 0x02 is not a value of boolean"},
      {"openvino-tile-1 boolean{true} x i64{1}",
       "column 25: expected an integer or 0x bits for boolean, found true"},
      {"openvino-tile-1 u3{0xf} x i64{1}", "column 20: 0xf is not a value of u3"},
      {"openvino-tile-1 f32[1] x i64{9223372036854775808}",
       "column 30: 9223372036854775808 is out of the range of i64, -9223372036854775808 to "
       "9223372036854775807"},
      {"openvino-tile-1 f32[1] x i64{1.0}", "column 30: expected an integer or 0x bits for i64, found 1.0"},
      {"openvino-tile-1 f32[1] x i64{+1}", "column 30: expected an integer or 0x bits for i64, found +1"},
      {"openvino-tile-1 f32[1] x i64{01}", "column 30: a number has no leading zeros, not 01"},
      {"openvino-tile-1 f32{01} x i64{1}", "column 21: expected a decimal or 0x bits for f32, found 01"},
      {"openvino-tile-1 f32{nan} x i64{1}", "column 21: expected a decimal or 0x bits for f32, found nan"},
      {"openvino-tile-1 f32{1e39} x i64{1}",
       "column 21: 1e39 is out of the range of f32, -3.4028235e38 to 3.4028235e38"},
      {"openvino-tile-1 f32{1e-999} x i64{1}",
       "column 21: 1e-999 is too close to 0 for f32, whose smallest number above 0 is 1e-45"},
      {"openvino-tile-1 f16{1e5} x i64{1}", "column 21: 1e5 is out of the range of f16, -65504 to 65504"},
      {"openvino-tile-1 f32{0x7fc0000} x i64{1}",
       "column 21: the bits of f32 are 0x and 8 hexadecimal digits, not 0x7fc0000"},
      {"openvino-tile-1 f32{0X7fc00000} x i64{1}",
       "column 21: expected a decimal or 0x bits for f32, found 0X7fc00000"},
      {"openvino-tile-1 c64{1} x i64{1}",
       "column 21: c64 is spelled as bits, 0x and 16 hexadecimal digits, not 1"},
  });
}

TEST(MalformedLiteral, SaysWhatIsWrongWithAnAxis) {
  expect_sentences({
      {"onnx-tile-1 f32[1] x i64{1}",
       "column 28: expected \" along \" and the axis, which onnx-tile-1 needs, found the end"},
      {"onnx-tile-1 f32[1] x i64{1} fill=bits:1",
       "column 28: expected \" along \" and the axis, which onnx-tile-1 needs, found a space"},
      {"onnx-tile-1 f32[1] x i64{1} along i64[]",
       "column 40: expected {, because the elements of the axis are always spelled out, found the end"},
      {"array-api-tile f32[1] x i32{1}",
       "column 26: the repeats of array-api-tile are integers without an element type, spelled as i64"},
      {"onnx-tile-13 f32[1] x i64{1} along i64{0}", "column 30: only onnx-tile-1 has an axis to go along"},
  });
}

TEST(MalformedLiteral, SaysWhatIsWrongWithAFill) {
  const std::string seed = "a seed from 0 to 18446744073709551615, found ";
  const std::string fill =
      "column 38: expected index, bits:SEED, special, special:SEED, zero, zero:SEED, long, long:SEED, short "
      "or "
      "short:SEED, found ";
  expect_sentences({
      {"openvino-tile-1 f32{1} x i64{1} fill=index", "column 33: a fill is for data that is not spelled out"},
      {"openvino-tile-1 f32[1] x i64{1} fill=ones", fill + "\"ones\""},
      {"openvino-tile-1 f32[1] x i64{1} fill=bits", fill + "\"bits\""},
      {"openvino-tile-1 f32[1] x i64{1} fill=bits:", "column 43: expected " + seed + "the end"},
      {"openvino-tile-1 f32[1] x i64{1} fill=special:-1", "column 46: expected " + seed + "\"-1\""},
      {"openvino-tile-1 f32[1] x i64{1} fill=bits:18446744073709551616",
       "column 43: expected " + seed + "\"18446744073709551616\""},
      {"openvino-tile-1 f32[1] x i64{1} fill=bits:007", "column 43: a number has no leading zeros"},
  });
}

TEST(MalformedLiteral, SaysWhatIsWrongWithAPlacement) {
  expect_sentences({
      {"openvino-tile-1 f32[1] x i64{1} @",
       "column 34: expected calls=, guard=, infer, offset=, output= or threads=, found the end"},
      {"openvino-tile-1 f32[1] x i64{1} @infer,",
       "column 40: expected calls=, guard=, infer, offset=, output= or threads=, found the end"},
      {"openvino-tile-1 f32[1] x i64{1} @guard=none", "column 40: expected after or before, found \"none\""},
      {"openvino-tile-1 f32[1] x i64{1} @infer,infer", "column 40: infer is said twice"},
      {"openvino-tile-1 f32[1] x i64{1} @calls=2,infer", "column 42: calls and infer exclude each other"},
      {"openvino-tile-1 f32[1] x i64{1} @threads=2,calls=2",
       "column 44: calls and threads exclude each other"},
      {"openvino-tile-1 f32[1] x i64{1} @guard=after,offset=4",
       "column 46: guard and offset exclude each other"},
      {"openvino-tile-1 f32[1] x i64{1} @guard=after,output=4",
       "column 46: guard and output exclude each other"},
      {"openvino-tile-1 f32[1] x i64{1} @output=3",
       "column 41: the offset 3 is not a multiple of the 4 bytes of f32"},
      {"openvino-tile-1 f32[1] x i64{1} @offset=3",
       "column 41: the offset 3 is not a multiple of the 4 bytes of f32"},
      {"openvino-tile-1 f32[1] x i64{1} @offset=64",
       "column 41: expected an offset from 0 to 63, found \"64\""},
      {"openvino-tile-1 f32[1] x i64{1} @threads=0",
       "column 42: expected a number of threads from 1 to 64, found \"0\""},
      {"openvino-tile-1 f32[1] x i64{1} @threads=65",
       "column 42: expected a number of threads from 1 to 64, found \"65\""},
  });
}

TEST(MalformedLiteral, SaysHowLongALiteralMayBe) {
  const std::string head = "openvino-tile-1 string{0x";
  std::string zeros = head + std::string(1400, '0') + "} x i64{1}";
  expect_sentences({
      {std::string(5000, 'a'), "column 4097: a literal has at most 4,096 characters, this one has 5000"},
      {zeros, "column 4097: a literal has at most 4,096 characters, the canonical form of this one has 4235"},
  });
}

TEST(MalformedLiteral, IsFoundInCorpusLinesToo) {
  const auto sentence = [](const std::string& line) { return parse_corpus_line(line).error().what; };
  EXPECT_EQ(sentence("openvino-tile-1 f32[1] x i64{1} => yes"),
            "column 36: expected an element type such as f32, found \"yes\"");
  EXPECT_EQ(sentence("openvino-tile-1 f32[1] x i64{1} = f32[1]"),
            "column 33: expected \" fill=\", \" @\", =>, # or the end, found \"=\"");
  EXPECT_EQ(sentence("openvino-tile-1 f32[1] x i64{1} => reject it"),
            "column 43: expected # or the end, found \"it\"");
  EXPECT_EQ(sentence("openvino-tile-1 string{0x" + std::string(5000, 'f') + "} x i64{1} => reject"),
            "column 4097: a literal has at most 4,096 characters, this one has 5035");
}

}  // namespace
}  // namespace certile
