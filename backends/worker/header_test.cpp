#include "backends/worker/header.hpp"

#include <gtest/gtest.h>

#include <string>

namespace certile::backends {
namespace {

TEST(Header, HasTheWordsAndTensorsOfAnAnswer) {
  for (
      const char* text :
      {R"({"__metadata__":{"seq":"2","out.shape":""},"out":{"dtype":"F32","shape":[2,6],"data_offsets":[0,48]}})",
       "{ \"out\" : {\"data_offsets\": [0, 48], \"shape\": [2,\n6], \"dtype\": "
       "\"F32\"},\r\n\t\"__metadata__\": "
       "{\"seq\": \"2\", \"out.shape\": \"\"} }  ",
       R"({"__metadata__":{"s\u0065q":"\u0032","out.shape":""},"\u006fut":{"dtype":"F\u00332",)"
       R"("shape":[2,6],"data_offsets":[0,48]}})"}) {
    const auto header = read_header(text);
    ASSERT_TRUE(header) << text << header.error().what;
    EXPECT_EQ(header->words, (std::unordered_map<std::string, std::string>{{"seq", "2"}, {"out.shape", ""}}));
    ASSERT_TRUE(header->tensors.contains("out")) << text;
    const MessageHeader::Entry& entry = header->tensors.at("out");
    EXPECT_EQ(entry.dtype, "F32");
    EXPECT_EQ(entry.shape, (Shape{2, 6}));
    EXPECT_EQ(entry.begin, 0U);
    EXPECT_EQ(entry.end, 48U);
  }
}

TEST(Header, KeepsEveryKindOfCharacter) {
  const auto header = read_header("{\"__metadata__\":{\"a\":\"\xc3\xa4 \\\"\\\\\"}}");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->words.at("a"), "\xc3\xa4 \"\\");
}

TEST(Header, SaysWhatIsWrongWithIt) {
  const std::string no_json = "is not a JSON object", fields = "needs exactly dtype, shape and data_offsets",
                    list = "whole numbers, 0 or more", twice = "twice; give each tensor",
                    depth = "nested too deeply", strings = "safetensors allows only strings";
  for (const auto& [text, why] :
       {std::pair<std::string, std::string>{"", no_json},
        {"{", no_json},
        {"7", no_json},
        {R"({"__metadata__":{}} x)", no_json},
        {R"({"__metadata__":{}}{})", no_json},
        {R"({"__metadata__":{"a":"\x"}})", no_json},
        {R"({"__metadata__":{"a":"\)", no_json},
        {"{\"__metadata__\":{\"a\":\"\xc3\"}}", no_json},
        {"{\"__metadata__\":{\"a\":\"\n\"}}", no_json},
        {R"({"__metadata__":{"a":"1",}})", no_json},
        {R"({"__metadata__":{"a":"1" "b":"1"}})", no_json},
        {R"({"a":{"dtype":"U8","shape":[1})", no_json},
        {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1)", no_json},
        {R"({"__metadata__":{"a":7}})", strings},
        {R"({"__metadata__":{"a":["7"]}})", strings},
        {R"({"__metadata__":{"a":{}}})", depth},
        {R"({"__metadata__":{"a":"1","a":"1"}})", twice},
        {R"({"__metadata__":{},"__metadata__":{}})", twice},
        {R"({"__metadata__":"a"})", "__metadata__ has to be an object of strings"},
        {R"({"a":7})", fields},
        {R"({"a":{"dtype":"U8","shape":[1]}})", fields},
        {R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,1]}})", fields},
        {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"b":"1"}})", fields},
        {R"({"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}})", fields},
        {R"({"a":{"dtype":"U8","shape":{},"data_offsets":[0,1]}})", fields},
        {R"({"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}})", list},
        {R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", list},
        {R"({"a":{"dtype":"U8","shape":[-0],"data_offsets":[0,1]}})", list},
        {R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})", list},
        {R"({"a":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}})", list},
        {R"({"a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]}})", list},
        {R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", depth},
        {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", "where they end"},
        {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "where they end"}}) {
    const auto header = read_header(text);
    ASSERT_FALSE(header) << text;
    EXPECT_NE(header.error().what.find(why), why.npos) << text << ": " << header.error().what;
  }
}

}  // namespace
}  // namespace certile::backends
