#include "conformance/text/foreign_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace certile::conformance {
namespace {

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

std::string object_of(std::size_t members) {
  std::string text = "{";
  for (std::size_t index = 0; index < members; ++index)
    text += (index == 0 ? "\"" : ",\"") + std::to_string(index) + "\":0";
  return text + "}";
}

TEST(ForeignJson, ReadsJsonAndNothingElse) {
  EXPECT_EQ(foreign_json(R"({"a":[1,"]]}},,"]})"), (Json{{"a", {1, "]]}},,"}}}));
  for (const char* text : {"", "{", "]]]", "{\"a\":1,}", "[1] 2", "\"\\"})
    EXPECT_TRUE(foreign_json(text).is_discarded()) << text;
}

TEST(ForeignJson, ReadsSixtyFourLevelsAndNoMore) {
  EXPECT_FALSE(foreign_json(nested(64)).is_discarded());
  EXPECT_TRUE(foreign_json(nested(65)).is_discarded());
  EXPECT_TRUE(foreign_json(R"({"version":)" + nested(100'000) + "}").is_discarded());
}

TEST(ForeignJson, ReadsAThousandMembersOfAnObjectAndNoMore) {
  EXPECT_FALSE(foreign_json(object_of(1'000)).is_discarded());
  EXPECT_TRUE(foreign_json(object_of(1'001)).is_discarded());
}

TEST(ForeignJson, ReadsAMillionValuesAndNoMore) {
  std::string text = "[0";
  while (text.size() < 2 * most_json_values)
    text += ",0";
  EXPECT_FALSE(foreign_json(text + "]").is_discarded());
  EXPECT_TRUE(foreign_json(text + ",0]").is_discarded());
}

}  // namespace
}  // namespace certile::conformance
