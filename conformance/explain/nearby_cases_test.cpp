#include "conformance/explain/nearby_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "conformance/explain/condition.hpp"
#include "conformance/judge/record.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

constexpr const char* examples[] = {
    "onnx-tile-13 f16[2,3,40] x i64{2,1,300} fill=special:3 @guard=after",
    "openvino-tile-1 u4[0,3] x i8{2,-1,0} @infer", "onnx-tile-1 f64[7,5] x f64[]{3} along f64[]{1}",
    "array-api-tile i64[2]{5,6} x i64{2,3} @threads=4", "onnx-tile-13 string[] x i64{}"};

std::vector<std::string> literals_of(const std::vector<Case>& cases) {
  std::vector<std::string> literals;
  for (const Case& each : cases)
    literals.push_back(to_string(each));
  return literals;
}

bool has(const std::vector<Case>& cases, const std::string& literal) {
  const auto literals = literals_of(cases);
  return std::ranges::find(literals, literal) != literals.end();
}

TEST(NearbyCases, ArePlainerInTheOrderOfAllLists) {
  for (const char* literal : examples) {
    const Plainness limit = plainness_of(literal);
    Plainness before;
    for (const Case& plainer : plainer_cases(*parse_case(literal))) {
      const Plainness plainness = plainness_of(to_string(plainer));
      EXPECT_LT(plainness, limit) << to_string(plainer);
      EXPECT_LT(before, plainness) << to_string(plainer);
      before = plainness;
    }
  }
}

TEST(NearbyCases, AreCasesThatALiteralSpells) {
  for (const char* literal : examples)
    for (const auto& cases : {plainer_cases(*parse_case(literal)), larger_cases(*parse_case(literal))})
      for (const Case& each : cases)
        EXPECT_TRUE(*parse_case(to_string(each)) == each) << to_string(each);
}

TEST(NearbyCases, TakeOneStep) {
  const auto plainer = plainer_cases(*parse_case("onnx-tile-13 f16[3,9] x i64{2,5} fill=bits:7 @offset=2"));
  for (const char* literal :
       {"onnx-tile-13 f16[3,9] x i64{2,5} fill=bits:7", "onnx-tile-13 f16[3,9] x i64{2,5} @offset=2",
        "onnx-tile-13 f32[3,9] x i64{2,5}", "onnx-tile-13 f16[9] x i64{5} fill=bits:7 @offset=2",
        "onnx-tile-13 f16[3,8] x i64{2,5} fill=bits:7 @offset=2",
        "onnx-tile-13 f16[3,9] x i64{2,4} fill=bits:7 @offset=2",
        "onnx-tile-13 f16[1,9] x i64{2,5} fill=bits:7 @offset=2"})
    EXPECT_TRUE(has(plainer, literal)) << literal;
}

TEST(NearbyCases, HaveOneAxis) {
  const auto plainer = plainer_cases(*parse_case("onnx-tile-13 f16[3,9] x i64{2,5}"));
  for (const char* literal :
       {"onnx-tile-13 f16[27] x i64{10}", "onnx-tile-13 f16[27] x i64{5}", "onnx-tile-13 f16[9] x i64{10}"})
    EXPECT_TRUE(has(plainer, literal)) << literal;
}

TEST(NearbyCases, SpellTheElementsAndLeaveThemOut) {
  const Case filled = *parse_case("onnx-tile-13 u8[2] x i64{2} fill=special");
  Case spelled = filled;
  spelled.data = data_of(filled);
  spelled.fill = {};
  EXPECT_TRUE(has(plainer_cases(filled), to_string(spelled)));
  const auto plainer = plainer_cases(*parse_case("onnx-tile-13 i32[2,2]{1,2,3,-9} x i64{2,1}"));
  EXPECT_TRUE(has(plainer, "onnx-tile-13 i32[1,2]{3,-9} x i64{2,1}"));
  EXPECT_TRUE(has(plainer, "onnx-tile-13 i32[2,1]{2,-9} x i64{2,1}"));
}

TEST(NearbyCases, GrowByOneNumber) {
  const auto larger = larger_cases(*parse_case("onnx-tile-13 u8[17] x i64{7}"));
  for (const char* literal : {"onnx-tile-13 u8[18] x i64{7}", "onnx-tile-13 u8[32] x i64{7}",
                              "onnx-tile-13 u8[17] x i64{8}", "onnx-tile-13 u8[64] x i64{7}"})
    EXPECT_TRUE(has(larger, literal)) << literal;
  EXPECT_TRUE(has(larger_cases(*parse_case("onnx-tile-13 u8[] x i64{}")), "onnx-tile-13 u8[16] x i64{1}"));
  // 128 is no i8.
  for (const Case& each : larger_cases(*parse_case("openvino-tile-1 u8[1] x i8{127}")))
    EXPECT_EQ(to_string(each).find("u8[1] x"), std::string::npos) << to_string(each);
}

TEST(NearbyCases, OfOtherFormsHaveAnotherAxisOrRowsOfAsManyBytes) {
  const auto others = cases_of_other_forms(*parse_case("onnx-tile-13 f32[6] x i64{3}"));
  for (const char* literal : {"onnx-tile-13 f32[2,6] x i64{1,3}", "onnx-tile-13 f32[1,6] x i64{2,3}",
                              "onnx-tile-13 u8[24] x i64{3}", "onnx-tile-13 i64[3] x i64{3}"})
    EXPECT_TRUE(has(others, literal)) << literal;
  EXPECT_TRUE(cases_of_other_forms(*parse_case("onnx-tile-13 f32[6] x i64[1,1]{3}")).empty()) << "is refused";
}

// Strings of a call that asks the shape alone have no characters.
TEST(NearbyCases, HavePropertiesWhateverTheyAsk) {
  for (const char* literal :
       {"onnx-tile-13 string[4] x i64{3} @infer", "onnx-tile-13 f32[6] x i64[1,1]{3}",
        "onnx-tile-13 u8[] x i64{}", "onnx-tile-13 u8[9223372036854775807] x i64{3} @infer"})
    EXPECT_EQ(properties_of(*parse_case(literal))[11], std::ssize(parse_case(literal)->data.shape()))
        << literal;
}

// Returns the numbers that a property has in cases between two.
std::set<std::int64_t> numbers_between(const std::string& literal, const std::string& words,
                                       std::int64_t below, std::int64_t above) {
  const Case question = *parse_case(literal);
  std::set<std::int64_t> numbers;
  for (std::size_t index = 0; index < property_count; ++index)
    if (Condition{index, 1, 1, 0, 9, {}, {}}.words() == words)
      for (const Case& each : cases_between(question, index, below, above))
        numbers.insert(properties_of(each)[index]);
  return numbers;
}

TEST(NearbyCases, AreNearTheMiddleBetweenTwoNumbersOfAProperty) {
  const std::string size = "the size of the output is 1 byte", repeat = "the largest repeat is 1";
  EXPECT_TRUE(numbers_between("onnx-tile-13 u8[10] x i64{40}", size, 100, 400).contains(250));
  EXPECT_EQ(numbers_between("onnx-tile-13 u8[10] x i64{40}", repeat, 37, 40), (std::set<std::int64_t>{38}));
  EXPECT_TRUE(numbers_between("onnx-tile-13 u8[10] x i64{40}", repeat, 39, 40).empty())
      << "nothing is between";
  EXPECT_TRUE(numbers_between("onnx-tile-13 u8[10] x i8{40}", repeat, 127, 140).empty()) << "128 is no i8";
}

}  // namespace
}  // namespace certile::conformance
