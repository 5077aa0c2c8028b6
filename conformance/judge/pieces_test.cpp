#include "conformance/judge/pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/judge/expectation.hpp"
#include "conformance/judge/judge_test.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// Returns true if the pieces, put behind each other, are the whole answer.
bool are_the_answer(const Case& question, std::uint64_t bytes) {
  const Tensor whole = *oracle::tile(question, data_of(question));
  const Pieces pieces(question, *oracle::settled_tiling(question), bytes);
  std::vector<std::byte> together;
  for (std::int64_t number = 0; number < pieces.count(); ++number) {
    const Pieces::Piece piece = pieces.at(number);
    const auto answer = oracle::tile(piece.question, piece.data);
    const auto width = static_cast<std::size_t>(bits(whole.type()) / 8);
    if (!answer || static_cast<std::size_t>(piece.first) * width != together.size()) return false;
    together.insert(together.end(), answer->bytes().begin(), answer->bytes().end());
  }
  return std::ranges::equal(together, whole.bytes());
}

TEST(Pieces, AreTheWholeAnswerWhereverItIsCut) {
  for (const char* literal :
       {"onnx-tile-13 u8[7] x i64{5}", "onnx-tile-13 u8[1] x i64{64}", "onnx-tile-13 f32[3,4] x i64{2,3}",
        "onnx-tile-13 u16[2,3,5] x i64{3,1,2}", "onnx-tile-13 f64[4,1,3] x i64{1,6,1}",
        "openvino-tile-1 i32[5] x i64{2,1,3}", "openvino-tile-1 i32[2,5,2] x i64{3}",
        "onnx-tile-1 f32[3,5] x f32[]{4} along f32[]{0}", "onnx-tile-1 f32[3,5] x f32[]{4} along f32[]{-1}",
        "onnx-tile-13 c128[3,3] x i64{2,2} fill=bits:7", "onnx-tile-13 u8[2,1,3,2] x i64{2,3,2,2}"})
    for (std::uint64_t bytes = 1; bytes < 200; bytes += 3)
      EXPECT_TRUE(are_the_answer(*parse_case(literal), bytes)) << literal << " in pieces of " << bytes;
}

TEST(Pieces, HaveAtMostTheGivenBytes) {
  const Case question = *parse_case("onnx-tile-13 u8[1000,10] x i64{3,7}");
  const Pieces pieces(question, *oracle::settled_tiling(question), 1024);
  for (std::int64_t number = 0; number < pieces.count(); ++number) {
    const Pieces::Piece piece = pieces.at(number);
    EXPECT_LE(oracle::tile(piece.question, piece.data)->count(), 1024);
  }
}

constexpr const char* in_pieces = "onnx-tile-13 u8[8,1048576] x i64{1,4}";

// Judges an output of the case whose element `wrong`, if there is one, is another.
Record judged_large(std::optional<std::int64_t> wrong) {
  const Case question = *parse_case(in_pieces);
  Tensor seen = *oracle::tile(question, data_of(question));
  if (wrong) seen.set_element(*wrong, {seen.element(*wrong).low ^ 1, 0});
  Observation observation;
  observation.outcome = Produced{{std::move(seen)}};
  return judge({question, in_pieces, {}}, whole_claim(), shared_memory, observation, *expect(question));
}

TEST(Pieces, PassWhereAllOfThemAreRight) {
  ASSERT_TRUE(std::get<Answer>(*expect(*parse_case(in_pieces))).is_in_pieces);
  EXPECT_EQ(judged_large(std::nullopt).now().verdict, Verdict::pass);
}

TEST(Pieces, ShowAWrongElementAtItsPlaceInTheWhole) {
  const Record record = judged_large(33'554'431);
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_NE(record.now().words.find("element [7,4194303] is "), std::string::npos) << record.now().words;
  EXPECT_NE(record.now().words.find("1 of 33554432 differs"), std::string::npos) << record.now().words;
}

}  // namespace
}  // namespace certile::conformance
