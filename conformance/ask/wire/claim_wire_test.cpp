#include "conformance/ask/wire/wire.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {
namespace {

Claim example() {
  Claim claim;
  claim.name = "mine";
  claim.version = "1.2";
  claim.definitions = all_definitions();
  claim.types = TypeSet::all();
  claim.repeats_types = {ElementType::i64};
  claim.max_rank = 8;
  claim.max_bytes = 1;
  claim.infers = false;
  return claim;
}

std::vector<std::byte> bytes_of(const Claim& claim) {
  std::vector<std::byte> buffer(8192);
  WireWriter writer(buffer);
  write_claim(writer, claim);
  EXPECT_TRUE(writer.fits());
  buffer.resize(writer.used());
  return buffer;
}

std::optional<Claim> read(std::span<const std::byte> bytes) {
  WireReader reader(bytes);
  return read_claim(reader);
}

TEST(ClaimWire, ArrivesAsItWasSent) {
  EXPECT_EQ(read(bytes_of(example())), example());
  EXPECT_EQ(read(bytes_of(Claim{})), Claim{});
}

TEST(ClaimWire, CutsANameThatIsNoName) {
  Claim claim = example();
  claim.name = std::string(100'000, 'x');
  EXPECT_EQ(read(bytes_of(claim))->name.size(), 4096U);
}

TEST(ClaimWire, IsNoneWhenItIsCutAnywhere) {
  const auto bytes = bytes_of(example());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read(std::span(bytes).first(size))) << size;
}

TEST(ClaimWire, RefusesATypeThatDoesNotExist) {
  auto bytes = bytes_of(example());
  const std::string_view name = "boolean";
  const auto at = std::search(bytes.begin(), bytes.end(), std::as_bytes(std::span(name)).begin(),
                              std::as_bytes(std::span(name)).end());
  ASSERT_NE(at, bytes.end());
  *at = std::byte{'B'};
  EXPECT_FALSE(read(bytes));
}

TEST(ClaimWire, ReadsAnyBytesToSomeEnd) {
  std::mt19937 random(1);
  const auto whole = bytes_of(example());
  for (int round = 0; round < 10'000; ++round) {
    auto bytes = whole;
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    const auto claim = read(bytes);
    if (claim) {
      EXPECT_LE(claim->types.size(), all_element_types().size());
    }
  }
}

}  // namespace
}  // namespace certile::conformance
