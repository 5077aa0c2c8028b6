#include "backends/builtin/builtin.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "backends/plugin/plugin.hpp"
#include "backends/plugin/status.hpp"
#include "reference/values/fill.hpp"

namespace certile::backends {
namespace {

int moves = 0;
bool has_memory = true;

// Opens a table whose `run` moves nothing and counts its calls.
std::int32_t open_counting(std::uint32_t, std::uint32_t, certile_plugin* table) {
  return fill_table(*table, {"counting", "1", false,
                             [](const void*, const TilePlan&, const certile_tensor&, const certile_tensor&) {
                               if (!has_memory) throw std::bad_alloc();
                               ++moves;
                             }});
}

// Returns the answer of `infer`, in one word or sentence.
std::string said(const std::string& literal) {
  const auto counting = Plugin::open("counting", open_counting);
  const Case question = *parse_case(literal);
  const Inferred inferred = counting->infer(PluginCall(question, question.data));
  if (inferred.status == Status::ok) return "fine";
  return inferred.status == Status::unsupported ? inferred.message : "rejected: " + inferred.message;
}

Ran ran(const std::string& literal, Shape shape) {
  const auto counting = Plugin::open("counting", open_counting);
  const Case question = *parse_case(literal);
  const Tensor data = data_of(question);
  Tensor out(data.type(), std::move(shape));
  return counting->run(PluginCall(question, data), c_tensor(out.mutable_view()));
}

TEST(BuiltIn, ClaimsEveryDefinitionAndTheTypesThatItMoves) {
  const auto counting = Plugin::open("counting", open_counting);
  ASSERT_TRUE(counting) << counting.error().what;
  EXPECT_EQ(counting->claim().definitions, all_definitions());
  for (const ElementType type : all_element_types())
    EXPECT_EQ(counting->claim().types.contains(type), !is_packed(type)) << name(type);
  EXPECT_EQ(counting->claim().repeats_types,
            (integer_types | TypeSet{ElementType::f16, ElementType::f32, ElementType::f64}));
}

TEST(BuiltIn, IsUnsupportedForTypesThatItDoesNotMove) {
  EXPECT_EQ(said("openvino-tile-1 u8[50] x i64{2}"), "fine");
  EXPECT_EQ(said("openvino-tile-1 i4[1] x i64{1}"), "counting does not move i4");
}

TEST(BuiltIn, RejectsWhatTheOperatorRefusesWhateverTheType) {
  EXPECT_EQ(said("onnx-tile-13 i4[2] x i64{1,1,1}").substr(0, 9), "rejected:");
}

TEST(BuiltIn, MovesNothingForAnEmptyOutput) {
  moves = 0;
  EXPECT_EQ(ran("openvino-tile-1 u8[2] x i64{0}", {0}).status, Status::ok);
  EXPECT_EQ(moves, 0);
  EXPECT_EQ(ran("openvino-tile-1 u8[2] x i64{1}", {2}).status, Status::ok);
  EXPECT_EQ(moves, 1);
}

TEST(BuiltIn, FailsForAnOutputOfAnotherShape) {
  EXPECT_EQ(ran("openvino-tile-1 u8[2] x i64{1}", {3}).status, Status::failed);
}

TEST(BuiltIn, FailsForAnOutputOfAnotherRank) {
  EXPECT_EQ(ran("openvino-tile-1 u8[2] x i64{1}", {1, 2}).status, Status::failed);
  EXPECT_EQ(ran("openvino-tile-1 u8[2] x i64{1,1}", {2}).status, Status::failed);
}

TEST(BuiltIn, RefusesBeforeItFailsForTheShapeOfTheOutput) {
  EXPECT_EQ(ran("onnx-tile-13 u8[2,3] x i64{-1,2}", {2, 3}).status, Status::rejected);
  EXPECT_EQ(ran("onnx-tile-13 u8[2,3] x i64{-1,2}", {6}).status, Status::rejected);
}

TEST(BuiltIn, SaysWhenMemoryIsMissing) {
  has_memory = false;
  const Ran without = ran("openvino-tile-1 u8[2] x i64{1}", {2});
  has_memory = true;
  EXPECT_EQ(without.status, Status::no_memory);
  EXPECT_EQ(without.message, "no memory for an intermediate tensor");
}

}  // namespace
}  // namespace certile::backends
