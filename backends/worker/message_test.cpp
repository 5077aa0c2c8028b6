#include "backends/worker/message.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "backends/worker/calls.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"

namespace certile::backends {
namespace {

std::span<const std::byte> bytes_of_text(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Returns a message with this header, and zeros as its body.
std::string with_header(const std::string& header, std::size_t body = 0) {
  std::string length(8, '\0');
  for (std::size_t byte = 0; byte < length.size(); ++byte)
    length[byte] = static_cast<char>((header.size() >> (8 * byte)) & 0xff);
  return length + header + std::string(body, '\0');
}

std::vector<std::byte> bytes_of(const MessageWriter& writer) {
  std::vector<std::byte> bytes;
  writer.append_to(bytes);
  return bytes;
}

// Returns the error for a message; empty if it is valid.
std::string objection(const std::string& bytes) {
  const auto message = Message::read(bytes_of_text(bytes));
  return message ? std::string() : message.error().what;
}

std::string objection_to_header(const std::string& header, std::size_t body = 0) {
  return objection(with_header(header, body));
}

// A block of hexadecimal from protocol.md, with the reason why the page refuses it.
struct Vector {
  std::string bytes, refused;
};

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  return bytes;
}

std::vector<Vector> vectors_of_the_page() {
  std::ifstream page(CERTILE_WORKERS "/protocol.md");
  std::vector<Vector> vectors;
  std::string digits;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```" && inside) vectors.push_back({from_hex(digits), {}});
    if (line == "```") inside = false;
    if (inside) digits += line;
    if (line == "```hex") {
      inside = true;
      digits.clear();
    }
    if (line.starts_with("refused: ")) vectors.back().refused = line.substr(9);
  }
  return vectors;
}

TEST(ProtocolPage, ShowsMessagesThatAreRead) {
  int read = 0;
  for (const Vector& vector : vectors_of_the_page())
    if (vector.refused.empty()) {
      EXPECT_EQ(objection(vector.bytes), "");
      ++read;
    }
  EXPECT_EQ(read, 15);
}

TEST(ProtocolPage, ShowsMessagesThatAreRefusedForWhatItSays) {
  int refused = 0;
  for (const Vector& vector : vectors_of_the_page())
    if (!vector.refused.empty()) {
      EXPECT_NE(objection(vector.bytes).find(vector.refused), std::string::npos)
          << objection(vector.bytes) << "\nexpected: " << vector.refused;
      ++refused;
    }
  EXPECT_EQ(refused, 13);
}

TEST(ProtocolPage, ShowsTheGreetingAsItIsSent) {
  MessageWriter hello = hello_message();
  hello.say("seq", "1");
  const auto sent = bytes_of(hello);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(sent.data()), sent.size()),
            vectors_of_the_page()[0].bytes);
}

TEST(ProtocolPage, ShowsAClaimThatIsUnderstood) {
  const auto hello = read_hello(*Message::read(bytes_of_text(vectors_of_the_page()[1].bytes)));
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->name, "example");
}

Result<Claim> hello_with_parts(const std::string& parts) {
  MessageWriter answer;
  for (const auto& [key, value] : {std::pair{"name", "mine"},
                                   {"version", "1"},
                                   {"operators", "onnx-tile-13"},
                                   {"types", "f32"},
                                   {"repeats_types", "i64"},
                                   {"infer", "no"}})
    answer.say(key, value);
  if (!parts.empty()) answer.say("parts", parts);
  return read_hello(*Message::read(bytes_of(answer)));
}

TEST(Hello, MaySayWhatTheWorkerIsMadeOf) {
  const std::string a(64, 'a'), b(64, 'b');
  const auto hello = hello_with_parts(a + "  numpy  1.26.4\n" + b + "  my file.py");
  ASSERT_TRUE(hello) << hello.error().what;
  EXPECT_EQ(hello->parts, (std::vector<Part>{{"numpy", "1.26.4", a}, {"my file.py", "", b}}));
  EXPECT_TRUE(hello_with_parts("")->parts.empty());
}

TEST(Hello, RefusesPartsThatAreNone) {
  const std::string a(64, 'a');
  for (const std::string& parts :
       {std::string("numpy"), a, a + "  ", a.substr(1) + "  x", std::string(64, 'A') + "  x", a + " x",
        a + "  " + std::string(201, 'x'), "\n" + a + "  x"}) {
    const auto hello = hello_with_parts(parts);
    ASSERT_FALSE(hello) << parts;
    EXPECT_NE(hello.error().what.find("parts, where a line is the SHA-256"), std::string::npos)
        << hello.error().what;
  }
  std::string many;
  for (int line = 0; line < 257; ++line)
    many += a + "  x\n";
  EXPECT_NE(hello_with_parts(many).error().what.find("more than 256 lines"), std::string::npos);
}

// A test of one element type, written and read.
class EveryType : public testing::TestWithParam<ElementType> {};

TEST_P(EveryType, ArrivesAsItWasSent) {
  const ElementType type = GetParam();
  const Case question =
      *parse_case("openvino-tile-1 " + std::string(name(type)) + "[3,5] x i64{1} fill=bits:7");
  const Tensor tensor = data_of(question);
  MessageWriter writer;
  writer.add("data", tensor.view());
  writer.add("repeats", question.repeats.view());
  const auto message = Message::read(bytes_of(writer));
  ASSERT_TRUE(message) << message.error().what;
  const auto data = message->tensor("data");
  ASSERT_TRUE(data) << data.error().what;
  EXPECT_EQ(data->type, type);
  EXPECT_EQ(data->shape, (Shape{3, 5}));
  if (type == ElementType::string) return;  // as views, not as bytes: see the test below
  EXPECT_TRUE(
      std::equal(data->bytes.begin(), data->bytes.end(), tensor.bytes().begin(), tensor.bytes().end()));
}

INSTANTIATE_TEST_SUITE_P(Message, EveryType, testing::ValuesIn(all_element_types()),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(Message, CarriesStringsAsOffsetsAndCharacters) {
  const std::vector<std::string> strings{"ab", "", std::string("c\0d", 3)};
  const Tensor tensor = Tensor::of_strings({3}, strings);
  MessageWriter writer;
  writer.add("data", tensor.view());
  const auto message = Message::read(bytes_of(writer));
  const auto received = message->tensor("data");
  ASSERT_TRUE(received);
  std::string flat(32, '\0');
  flat[8] = 2;
  flat[16] = 2;
  flat[24] = 5;
  flat += std::string("abc\0d", 5);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(received->bytes.data()), received->bytes.size()), flat);
}

TEST(Message, KeepsWordsWithEveryKindOfCharacter) {
  const std::string odd = "quote \" backslash \\ newline \n and \xc3\xa9";
  MessageWriter writer;
  writer.say("why", odd);
  const auto message = Message::read(bytes_of(writer));
  ASSERT_TRUE(message);
  EXPECT_EQ(*message->word("why"), odd);
  EXPECT_EQ(message->word("what"), nullptr);
}

TEST(Message, AllowsSpacesBehindTheHeader) {
  EXPECT_EQ(objection_to_header("{\"__metadata__\":{\"seq\":\"1\"}}   "), "");
}

TEST(Message, TakesTensorsInAnyOrderOfTheirKeys) {
  EXPECT_EQ(objection_to_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]},"
                                "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
                                "\"c\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[3,3]}}",
                                3),
            "");
}

TEST(Message, RefusesAHeaderThatIsTooLarge) {
  std::string length(8, '\0');
  length[7] = 1;
  EXPECT_NE(objection(length + "{}").find("its header would have 72057594037927936 bytes"),
            std::string::npos);
}

TEST(Message, RefusesWhatEndsTooEarly) {
  EXPECT_EQ(objection("1234"), "a message begins with 8 bytes of length");
  std::string cut = with_header("{\"__metadata__\":{}}");
  cut.pop_back();
  EXPECT_EQ(objection(cut), "the message ends within its header");
}

TEST(Message, RefusesDepth) {
  const std::string deep = "{\"a\":{\"shape\":" + std::string(100000, '[') + std::string(100000, ']') + "}}";
  EXPECT_NE(objection_to_header(deep).find("nested too deeply"), std::string::npos);
}

TEST(Message, RefusesAShapeThatOverflows) {
  EXPECT_NE(objection_to_header(
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}")
                .find("is not what U8[4294967296,4294967296] takes"),
            std::string::npos);
}

TEST(Message, RefusesOffsetsInTheWrongOrder) {
  EXPECT_NE(objection_to_header("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,0]}}")
                .find("data_offsets are where"),
            std::string::npos);
}

// Returns the error for the tensor of a message that is valid as safetensors.
std::string objection_to_tensor(const std::string& words, const std::string& dtype, std::size_t size) {
  const std::string header = "{\"__metadata__\":{" + words + "},\"out\":{\"dtype\":\"" + dtype +
                             "\",\"shape\":[" + std::to_string(size) + "],\"data_offsets\":[0," +
                             std::to_string(size) + "]}}";
  const auto message = Message::read(bytes_of_text(with_header(header, size)));
  if (!message) return "message: " + message.error().what;
  const auto tensor = message->tensor("out");
  return tensor ? std::string() : tensor.error().what;
}

TEST(Message, RefusesATensorThatIsNotWhatItsWordsSay) {
  EXPECT_EQ(objection_to_tensor("\"out.type\":\"i4\",\"out.shape\":\"3\"", "U8", 2), "");
  EXPECT_NE(
      objection_to_tensor("\"out.type\":\"i4\",\"out.shape\":\"5\"", "U8", 2).find("is not what i4[5] takes"),
      std::string::npos);
  EXPECT_NE(objection_to_tensor("\"out.type\":\"float\"", "U8", 2).find("not a type of certile"),
            std::string::npos);
  EXPECT_NE(objection_to_tensor("\"out.shape\":\"2,\"", "U8", 2).find("which is not a shape"),
            std::string::npos);
  EXPECT_NE(objection_to_tensor("\"out.shape\":\"-1,-2\"", "U8", 2).find("which is not a shape"),
            std::string::npos);
}

TEST(Message, RefusesStringsWhoseOffsetsAreWrong) {
  const std::string words = "\"out.type\":\"string\",\"out.shape\":\"1\"";
  EXPECT_EQ(objection_to_tensor(words, "U8", 16), "");
  EXPECT_NE(objection_to_tensor(words, "U8", 8).find("too few for the offsets"), std::string::npos);
  EXPECT_NE(objection_to_tensor(words, "U8", 17).find("has 1 characters, and its last offset is 0"),
            std::string::npos);
}

TEST(Message, ReadsShapesInWords) {
  EXPECT_EQ(read_shape_words("4,6"), (Shape{4, 6}));
  EXPECT_EQ(read_shape_words(""), Shape{});
  EXPECT_EQ(read_shape_words("-1"), Shape{-1});
  EXPECT_EQ(read_shape_words("4,"), std::nullopt);
  EXPECT_EQ(read_shape_words("4 6"), std::nullopt);
  EXPECT_EQ(shape_words(Shape{4, 6}), "4,6");
}

}  // namespace
}  // namespace certile::backends
