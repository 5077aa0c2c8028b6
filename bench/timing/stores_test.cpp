#include "bench/timing/stores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "conformance/ask/rig/warm_memory.hpp"

namespace certile::bench {
namespace {

// Sizes around the widths of registers and of a loop's step.
constexpr std::size_t sizes[] = {1, 15, 16, 63, 64, 65, 127, 128, 255, 256, 257, 1000, 4096, 5000};
constexpr std::size_t largest = 5000;

std::vector<StoreKernels::Fill> fills() {
  std::vector<StoreKernels::Fill> all{store_kernels().fill, store_kernels().fill_non_temporal,
                                      store_kernels().fill_string};
  std::erase(all, nullptr);
  return all;
}

std::vector<StoreKernels::Copy> copies() {
  std::vector<StoreKernels::Copy> all{store_kernels().copy, store_kernels().copy_non_temporal,
                                      store_kernels().copy_string};
  std::erase(all, nullptr);
  return all;
}

std::span<std::byte> cleared(const conformance::WarmMemory& buffer) {
  std::fill(buffer.bytes().begin(), buffer.bytes().end(), std::byte{0});
  return buffer.bytes();
}

TEST(StoreKernels, FillWritesEveryByteWithoutAZeroAndNoOther) {
  const auto buffer = conformance::WarmMemory::make(largest + 64);
  for (const auto fill : fills())
    for (const std::size_t size : sizes) {
      const std::span<std::byte> bytes = cleared(*buffer);
      fill(bytes.first(size));
      EXPECT_EQ(std::count(bytes.begin(), bytes.end(), std::byte{0}),
                static_cast<std::ptrdiff_t>(bytes.size() - size));
    }
}

TEST(StoreKernels, CopyRepeatsTheSource) {
  const auto buffer = conformance::WarmMemory::make(largest + 64);
  std::vector<std::byte> source(192);
  for (std::size_t index = 0; index < source.size(); ++index)
    source[index] = static_cast<std::byte>(index + 1);
  for (const auto copy : copies())
    for (const std::size_t size : sizes) {
      const std::span<std::byte> bytes = cleared(*buffer);
      copy(bytes.first(size), source);
      for (std::size_t at = 0; at < bytes.size(); ++at)
        ASSERT_EQ(bytes[at], at < size ? source[at % source.size()] : std::byte{0}) << size << " at " << at;
    }
}

}  // namespace
}  // namespace certile::bench
