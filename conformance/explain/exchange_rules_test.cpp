#include "conformance/explain/value_rules.hpp"

#include "conformance/explain/broken_output_test.hpp"

namespace certile::conformance {
namespace {

// Returns the output of one case with the elements of another's.
WrongElements output_of(const std::string& other, const std::string& literal) {
  BrokenOutput output(literal);
  const Tensor elements = BrokenOutput(other).expected();
  for (std::int64_t index = 0; index < elements.count(); ++index)
    output.seen().set_element(index, elements.element(index));
  return output.found();
}

TEST(ExchangeRules, RecognizeExchangedRepeats) {
  EXPECT_EQ(
      what_instead(output_of("onnx-tile-13 i32[2,3,2] x i64{1,3,2}", "onnx-tile-13 i32[2,3,2] x i64{1,2,3}")),
      "those of a call in which axes 1 and 2 of the data have exchanged their repeats");
  EXPECT_EQ(
      what_instead(output_of("openvino-tile-1 i32[5,7] x i64{3,2}", "openvino-tile-1 i32[5,7] x i64{2,3}")),
      "those of a call in which axes 0 and 1 of the data have exchanged their repeats");
}

TEST(ExchangeRules, NameTheAxesThatAreNextToEachOther) {
  EXPECT_EQ(of_exchanged_axes(
                output_of("onnx-tile-13 i32[1,2,7] x i64{1,11,1}", "onnx-tile-13 i32[1,2,7] x i64{1,1,11}")),
            "those of a call in which axes 1 and 2 of the data have exchanged their repeats");
}

TEST(ExchangeRules, RecognizeExchangedSizes) {
  EXPECT_EQ(of_exchanged_axes(
                output_of("onnx-tile-13 i32[3,2,2] x i64{1,2,2}", "onnx-tile-13 i32[2,2,3] x i64{1,2,2}")),
            "those of a call in which axes 0 and 2 of the data have exchanged their sizes");
}

TEST(ExchangeRules, RecognizeRepeatsInTheOppositeOrder) {
  EXPECT_EQ(of_exchanged_axes(output_of("onnx-tile-13 i32[2,2,2,3] x i64{2,3,1,4}",
                                        "onnx-tile-13 i32[2,2,2,3] x i64{4,1,3,2}")),
            "those of a call with the repeats in the opposite order");
}

TEST(ExchangeRules, SayNothingOfASingleWrongElement) {
  EXPECT_EQ(of_exchanged_axes(BrokenOutput("onnx-tile-13 i32[2,3] x i64{1,2}").change({1}).found()), "");
  EXPECT_EQ(of_exchanged_axes(BrokenOutput("onnx-tile-13 i32[2,3] x i64{1,2}").leave_unwritten({1}).found()),
            "");
}

}  // namespace
}  // namespace certile::conformance
