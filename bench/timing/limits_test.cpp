#include "bench/timing/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "bench/timing/measure.hpp"
#include "conformance/ask/rig/warm_memory.hpp"
#include "reference/values/case.hpp"

namespace certile::bench {
namespace {

// Sizes around the widths of registers and of a loop's step.
constexpr std::size_t sizes[] = {1, 15, 16, 63, 64, 65, 127, 128, 255, 256, 257, 1000, 4096, 5000};
constexpr std::size_t largest = 5000;

std::span<std::byte> cleared(const conformance::WarmMemory& buffer) {
  std::ranges::fill(buffer.bytes(), std::byte{0});
  return buffer.bytes();
}

TEST(StoreKernels, FillWritesEveryByteWithoutAZeroAndNoOther) {
  const auto buffer = conformance::WarmMemory::make(largest + 64);
  for (const Probe probe : {Probe::fill, Probe::fill_non_temporal, Probe::fill_string, Probe::memset})
    for (const std::size_t size : sizes) {
      const std::span<std::byte> bytes = cleared(*buffer);
      if (write_of(probe) == nullptr) continue;
      write_of(probe)(bytes.first(size), {});
      EXPECT_EQ(std::ranges::count(bytes.first(size), std::byte{0}), 0) << name(probe);
      EXPECT_EQ(std::ranges::count(bytes.subspan(size), std::byte{0}),
                static_cast<std::ptrdiff_t>(bytes.size() - size))
          << name(probe);
    }
}

TEST(StoreKernels, CopyRepeatsTheSource) {
  const auto buffer = conformance::WarmMemory::make(largest + 64);
  std::vector<std::byte> source(192);
  for (std::size_t index = 0; index < source.size(); ++index)
    source[index] = static_cast<std::byte>(index + 1);
  for (const Probe probe : {Probe::copy, Probe::copy_non_temporal, Probe::copy_string, Probe::memcpy})
    for (const std::size_t size : sizes) {
      const std::span<std::byte> bytes = cleared(*buffer);
      if (write_of(probe) == nullptr) continue;
      write_of(probe)(bytes.first(size), source);
      for (std::size_t at = 0; at < bytes.size(); ++at)
        ASSERT_EQ(bytes[at], at < size ? source[at % source.size()] : std::byte{0}) << size << " at " << at;
    }
}

TEST(Parts, CoverEveryByteOnceInOrder) {
  std::vector<std::byte> bytes(1000003);
  for (const std::size_t size : {1u, 63u, 64u, 100u, 4096u, 8193u, 1000003u})
    for (const int parts : {1, 2, 3, 7}) {
      std::size_t next = 0;
      for (int part = 0; part < parts; ++part) {
        const auto each = part_of(std::span(bytes).first(size), part, parts);
        EXPECT_EQ(each.data() - bytes.data(), static_cast<std::ptrdiff_t>(next));
        next += each.size();
      }
      EXPECT_EQ(next, size);
    }
}

TEST(Parts, BeginOnPagesWhereThereAreEnough) {
  std::vector<std::byte> bytes(100'000);
  for (int part = 0; part < 3; ++part)
    EXPECT_EQ((part_of(bytes, part, 3).data() - bytes.data()) % 4096, 0);
  EXPECT_EQ(part_of(std::span(bytes).first(4096), 1, 2).data() - bytes.data(), 2048);
}

TEST(Probes, IncludeACallOnlyForOneThreadAndATinyOutput) {
  const auto has_call = [](std::uint64_t bytes, int threads) {
    return std::ranges::count(available_probes(bytes, threads), Probe::call) == 1;
  };
  EXPECT_TRUE(has_call(4096, 1));
  EXPECT_FALSE(has_call(4097, 1));
  EXPECT_FALSE(has_call(4096, 2));
}

// Returns true if the probe leaves no byte of the output that is zero.
bool fills_the_output(Probe probe, int threads) {
  const auto question = parse_case("onnx-tile-13 f32[2,3,4] x i64{1,2,3}");
  auto memory = CaseMemory::make(*question);
  std::ranges::fill((*memory)->output().bytes, std::byte{0});
  Team team(threads);
  const auto call = timed_limit(probe, team, question->definition, **memory);
  const auto ran = run_batch(*call, Temperature::hot, 3);
  return ran && std::ranges::count((*memory)->output_bytes(), std::byte{0}) == 0;
}

TEST(Probes, CallIsPlannedAndFillsTheOutput) {
  EXPECT_TRUE(fills_the_output(Probe::call, 1));
}

TEST(Probes, SeveralThreadsFillTheOutput) {
  EXPECT_TRUE(fills_the_output(Probe::fill, 3));
}

TEST(Team, EveryThreadGetsEveryPieceOfWork) {
  std::vector<std::atomic<int>> calls(3);
  Team team(3);
  for (int batch = 0; batch < 2; ++batch) {
    team.begin([&](int thread) { ++calls[static_cast<std::size_t>(thread)]; });
    for (int piece = 0; piece < 10; ++piece)
      team.run();
    team.end();
  }
  for (const auto& each : calls)
    EXPECT_EQ(each, 20);
}

}  // namespace
}  // namespace certile::bench
