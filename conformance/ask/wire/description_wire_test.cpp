#include "conformance/ask/wire/description_wire.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace certile {
namespace {

Description example() {
  Description description;
  description.name = "mine";
  description.version = "1.2";
  description.definitions = all_definitions();
  const auto types = all_element_types();
  description.types.assign(types.begin(), types.end());
  description.repeats_types = {ElementType::i64};
  description.max_rank = 8;
  description.max_bytes = 0;
  description.infers = false;
  description.parts = {{"numpy", "1.26.4", std::string(64, 'a')}, {"mine.py", "", std::string(64, 'b')}};
  return description;
}

std::vector<std::byte> bytes_of(const Description& description) {
  std::vector<std::byte> buffer(4096);
  WireWriter writer(buffer);
  write_description(writer, description);
  EXPECT_TRUE(writer.fits());
  buffer.resize(writer.used());
  return buffer;
}

std::optional<Description> read(std::span<const std::byte> bytes) {
  WireReader reader(bytes);
  return read_description(reader);
}

TEST(DescriptionWire, ArrivesAsItWasSent) {
  EXPECT_EQ(read(bytes_of(example())), example());
  EXPECT_EQ(read(bytes_of(Description{})), Description{});
}

TEST(DescriptionWire, CutsANameThatIsNoName) {
  Description description = example();
  description.name = std::string(100'000, 'x');
  EXPECT_EQ(read(bytes_of(description))->name.size(), 256U);
}

TEST(DescriptionWire, IsNoneWhenItIsCutAnywhere) {
  const auto bytes = bytes_of(example());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read(std::span(bytes).first(size))) << size;
}

TEST(DescriptionWire, RefusesATypeThatDoesNotExist) {
  std::array<std::byte, 64> bytes{};
  WireWriter writer(bytes);
  writer.text("");
  writer.text("");
  writer.number(std::uint32_t{0});
  writer.number(std::uint32_t{1});
  writer.number(std::uint8_t{200});
  EXPECT_FALSE(read(bytes));
}

TEST(DescriptionWire, ReadsAnyBytesToSomeEnd) {
  std::mt19937 random(1);
  const auto whole = bytes_of(example());
  for (int round = 0; round < 10'000; ++round) {
    auto bytes = whole;
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    const auto description = read(bytes);
    EXPECT_LE(description ? description->types.size() : 0, whole.size());
  }
}

}  // namespace
}  // namespace certile
