#include "conformance/explain/place_rules.hpp"

#include <gtest/gtest.h>

#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

std::string words_for(bool (*fails)(int offset), int step = 4) {
  std::vector<bool> at;
  for (int offset = 0; offset < 64; offset += step)
    at.push_back(fails(offset));
  return words_for_offsets(at, step);
}

TEST(AddressRule, NamesTheAlignmentAtWhichACaseFails) {
  EXPECT_EQ(words_for([](int offset) { return offset % 32 == 16; }),
            "where the buffers begin 16 bytes after a multiple of 32");
  EXPECT_EQ(words_for([](int offset) { return offset % 16 != 0; }),
            "where the buffers are not aligned to 16 bytes");
  EXPECT_EQ(words_for([](int offset) { return offset == 0; }), "where the buffers are aligned to 64 bytes");
}

TEST(AddressRule, SaysNothingWithoutARule) {
  EXPECT_EQ(words_for([](int) { return true; }), "");
  EXPECT_EQ(words_for([](int) { return false; }), "");
  EXPECT_EQ(words_for([](int offset) { return offset == 4 || offset == 20 || offset == 48; }), "");
}

TEST(AddressRule, AsksTheCaseAtEachOffset) {
  Diagnosis asker(isolate_options(test_plugin("wrong_at_16_of_64")));
  EXPECT_EQ(failing_addresses(*parse_case("onnx-tile-13 f32[1024] x i64{40}"), asker),
            "where the buffers begin 16 bytes after a multiple of 64");
}

}  // namespace
}  // namespace certile::conformance
