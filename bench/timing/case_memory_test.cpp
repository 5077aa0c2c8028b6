#include "bench/timing/case_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

TEST(CaseMemory, HoldsTheDataOfTheCase) {
  const auto question = parse_case("onnx-tile-13 f32[2,3,4] x i64{1,2,3}");
  const auto memory = CaseMemory::make(*question);
  ASSERT_TRUE(memory);
  const Tensor expected = data_of(*question);
  const backends::PluginCall made = (*memory)->call(question->definition);
  const certile_tensor& data = *static_cast<const certile_call&>(made).data;
  ASSERT_EQ(data.byte_size, expected.bytes().size());
  EXPECT_EQ(std::memcmp(data.data, expected.bytes().data(), data.byte_size), 0);
  EXPECT_TRUE(
      std::ranges::equal(std::span(data.shape, static_cast<std::size_t>(data.rank)), expected.shape()));
  EXPECT_EQ((*memory)->output().bytes.size(), 576u);
}

TEST(CaseMemory, BeginsOnAPageAndFromTwoMebibytesOnAHugeOne) {
  const auto small = CaseMemory::make(*parse_case("onnx-tile-13 u8[3] x i64{5}"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*small)->output().bytes.data()) % 4096, 0u);
  const auto large = CaseMemory::make(*parse_case("onnx-tile-13 u8[1024] x i64{3000}"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*large)->output().bytes.data()) % (std::size_t{2} << 20), 0u);
}

TEST(CaseMemory, GivesCopiesASourceOfTheDatasSizeInWholeCacheLines) {
  const auto memory = CaseMemory::make(*parse_case("onnx-tile-13 u8[10007] x i64{5}"));
  EXPECT_EQ((*memory)->source().size(), 10007u / 64 * 64);
}

TEST(CaseMemory, GivesCopiesOfTinyDataAPageToReadButNoMoreThanIsWritten) {
  const auto wide = CaseMemory::make(*parse_case("onnx-tile-13 u8[1] x i64{100000}"));
  EXPECT_EQ((*wide)->source().size(), 4096u);
  const auto narrow = CaseMemory::make(*parse_case("onnx-tile-13 u8[1] x i64{100}"));
  EXPECT_EQ((*narrow)->source().size(), 64u);
}

TEST(CaseMemory, KeepsItsContentWhenItIsFlushed) {
  const auto memory = CaseMemory::make(*parse_case("onnx-tile-13 i64[4] x i64{2}"));
  (*memory)->flush();
  const backends::PluginCall made = (*memory)->call(onnx_tile_13);
  EXPECT_EQ(static_cast<const std::int64_t*>(static_cast<const certile_call&>(made).data->data)[1], 2);
}

TEST(CaseMemory, ARefusalOfTheOperatorIsOne) {
  const auto memory = CaseMemory::make(*parse_case("onnx-tile-13 f32[2,3] x i64{2}"));
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, Error::Code::rejected);
}

}  // namespace
}  // namespace certile::bench
