#include <gtest/gtest.h>

#include <string>

#include "backends/worker/header.hpp"

namespace certile::backends {
namespace {

TEST(PlainHeader, HasTheWordsAndTensorsOfAnAnswer) {
  for (
      const char* text :
      {R"({"__metadata__":{"seq":"2","out.shape":""},"out":{"dtype":"F32","shape":[2,6],"data_offsets":[0,48]}})",
       "{ \"out\" : {\"data_offsets\": [0, 48], \"shape\": [2,\n6], \"dtype\": "
       "\"F32\"},\r\n\t\"__metadata__\": "
       "{\"seq\": \"2\", \"out.shape\": \"\"} }  "}) {
    const auto header = read_plain_header(text);
    ASSERT_TRUE(header) << text;
    ASSERT_NE(header->words.find({}, "seq"), nullptr);
    EXPECT_EQ(*header->words.find({}, "seq"), "2");
    EXPECT_EQ(*header->words.find("out", ".shape"), "");
    EXPECT_EQ(header->words.find("out", ".type"), nullptr);
    const MessageHeader::Entry* entry = header->tensors.find({}, "out");
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->dtype, "F32");
    EXPECT_EQ(entry->shape, (Shape{2, 6}));
    EXPECT_EQ(entry->begin, 0U);
    EXPECT_EQ(entry->end, 48U);
  }
}

TEST(PlainHeader, HasTheWordsOfABatch) {
  std::string text = R"({"__metadata__":{"seq":"1")";
  for (int call = 0; call < 1000; ++call)
    text += ",\"" + std::to_string(call) + ".shape\":\"" + std::to_string(call) + "\"";
  text += "}}";
  const auto header = read_plain_header(text);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->words.all().size(), 1001U);
  EXPECT_EQ(*header->words.find("999.", "shape"), "999");
  EXPECT_EQ(header->words.find("1000.", "shape"), nullptr);
  text.insert(text.size() - 2, R"(,"7.shape":"8")");
  EXPECT_FALSE(read_plain_header(text)) << "a word that is there twice";
}

TEST(PlainHeader, IsNoneWhereALibraryHasToLook) {
  for (const char* text : {"",
                           "{",
                           "7",
                           R"({"__metadata__":{}} x)",
                           R"({"__metadata__":{"a":"\n"}})",
                           "{\"__metadata__\":{\"a\":\"\xc3\xa4\"}}",
                           R"({"__metadata__":{"a":7}})",
                           R"({"__metadata__":{"a":"1","a":"1"}})",
                           R"({"__metadata__":{},"__metadata__":{}})",
                           R"({"__metadata__":{"a":"1",}})",
                           R"({"__metadata__":"a"})",
                           R"({"a":{"dtype":"U8","shape":[1]}})",
                           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"more":"1"}})",
                           R"({"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}})",
                           R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})",
                           R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})",
                           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})",
                           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})",
                           R"({"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}})",
                           R"({"a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]}})",
                           R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})"})
    EXPECT_FALSE(read_plain_header(text)) << text;
}

}  // namespace
}  // namespace certile::backends
