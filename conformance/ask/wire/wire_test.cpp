#include "conformance/ask/wire/wire.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

using Buffer = std::array<std::byte, 4096>;

Tensor data_of(const std::string& operand) {
  return data_of(*parse_case("onnx-tile-13 " + operand + " x i64{1}"));
}

std::vector<std::byte> written(const Tensor& tensor) {
  Buffer buffer;
  WireWriter writer(buffer);
  writer.tensor(tensor);
  EXPECT_TRUE(writer.fits());
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(writer.used())};
}

// Returns a tensor's message up to its content.
std::vector<std::byte> head(ElementType type, const Shape& shape, std::uint64_t bytes) {
  Buffer buffer;
  WireWriter writer(buffer);
  writer.number(type);
  writer.shape(shape);
  writer.number(bytes);
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(writer.used())};
}

TEST(Wire, ReadsNumbersTextsAndShapesBack) {
  Buffer buffer;
  WireWriter writer(buffer);
  writer.number(std::uint16_t{0xfffe});
  writer.text(std::string_view("a\0b", 3));
  writer.shape(Shape{});
  writer.shape(Shape{-1, INT64_MAX});
  ASSERT_TRUE(writer.fits());
  WireReader reader(buffer);
  EXPECT_EQ(reader.number<std::uint16_t>(), 0xfffe);
  EXPECT_EQ(reader.text(), std::string("a\0b", 3));
  EXPECT_EQ(reader.shape(), Shape{});
  EXPECT_EQ(reader.shape(), (Shape{-1, INT64_MAX}));
  EXPECT_TRUE(reader.good());
  EXPECT_EQ(reader.used(), writer.used());
}

TEST(Wire, ReadsTensorsOfEveryTypeBack) {
  for (const ElementType type : all_element_types())
    for (const char* shape : {"[3,5]", "[]", "[0,7]"}) {
      const std::string operand = std::string(name(type)) + shape;
      const Tensor tensor = data_of(operand);
      const auto bytes = written(tensor);
      WireReader reader(bytes);
      const auto back = reader.tensor();
      ASSERT_TRUE(back) << operand;
      EXPECT_EQ(*back, tensor) << operand;
      EXPECT_EQ(reader.used(), bytes.size()) << operand;
    }
}

TEST(Wire, KeepsAShapeWithoutElements) {
  const auto bytes = written(Tensor::without_elements(ElementType::f32, {65537, 65536}));
  WireReader reader(bytes);
  const auto back = reader.tensor();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->shape(), (Shape{65537, 65536}));
  EXPECT_TRUE(back->bytes().empty());
}

TEST(Wire, CutsATextAtItsLimit) {
  Buffer buffer;
  WireWriter writer(buffer);
  writer.text("0123456789", 4);
  WireReader reader(buffer);
  EXPECT_EQ(reader.text(), "0123");
}

TEST(Wire, SaysThatSomethingDidNotFitWhereverTheBufferEnds) {
  const Tensor tensor = data_of("string[2]");
  const std::size_t whole = written(tensor).size();
  std::vector<std::byte> buffer(whole);
  for (std::size_t size = 0; size < whole; ++size) {
    WireWriter writer({buffer.data(), size});
    writer.tensor(tensor);
    EXPECT_FALSE(writer.fits()) << size;
    EXPECT_LE(writer.used(), size);
  }
}

TEST(Wire, StaysUnfittingAfterwards) {
  std::array<std::byte, 4> buffer;
  WireWriter writer(buffer);
  writer.number(std::uint64_t{1});
  writer.number(std::uint8_t{1});
  EXPECT_FALSE(writer.fits());
  EXPECT_EQ(writer.used(), 0U);
}

TEST(Wire, ReadsNoTensorFromAMessageThatIsCutAnywhere) {
  for (const char* operand : {"f64[3]", "u4[5]", "string[3]"}) {
    const auto bytes = written(data_of(operand));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      WireReader reader({bytes.data(), size});
      EXPECT_FALSE(reader.tensor()) << operand << " cut to " << size;
      EXPECT_FALSE(reader.good());
    }
  }
}

TEST(Wire, RefusesALengthThatIsNotThereBeforeItAllocates) {
  const std::array<std::byte, 8> absurd{std::byte{0xff}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};
  WireReader text(absurd);
  EXPECT_EQ(text.text(), "");
  EXPECT_FALSE(text.good());
  WireReader shape(absurd);
  EXPECT_EQ(shape.shape(), Shape{});
  EXPECT_FALSE(shape.good());
}

TEST(Wire, RefusesTensorsWhoseSizeIsNotThatOfTheirShape) {
  const std::int64_t large = std::int64_t{1} << 40;
  for (const auto& bytes :
       {head(ElementType::f32, {large}, std::uint64_t{4} << 40), head(ElementType::f32, {large, large}, 64),
        head(ElementType::f32, {-3}, 12), head(ElementType::f32, {3}, 13),
        head(ElementType::string, {std::int64_t{1} << 59}, std::uint64_t{1} << 63),
        head(ElementType::string, {std::int64_t{1} << 60}, 0x100),
        head(static_cast<ElementType>(255), {1}, 4)}) {
    WireReader reader(bytes);
    EXPECT_FALSE(reader.tensor());
  }
}

TEST(Wire, RefusesAStringThatIsLongerThanTheMessage) {
  Buffer buffer;
  WireWriter writer(buffer);
  writer.bytes(head(ElementType::string, {1}, sizeof(StringElement)));
  writer.number(~std::uint64_t{0});
  WireReader reader(buffer);
  EXPECT_FALSE(reader.tensor());
  EXPECT_FALSE(reader.good());
}

TEST(Wire, TakesAnyByteForAFlag) {
  const std::array<std::byte, 3> bytes{std::byte{0}, std::byte{1}, std::byte{0xa5}};
  WireReader reader(bytes);
  EXPECT_FALSE(reader.flag());
  EXPECT_TRUE(reader.flag());
  EXPECT_TRUE(reader.flag());
}

}  // namespace
}  // namespace certile::conformance
