#include "backends/kernel/tile_packed.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/shape/plan_of_test.hpp"

namespace certile::kernel {
namespace {

using backends::plan_of;
using backends::TiledAxis;
using backends::TilePlan;

std::string plan_in_words(const TilePlan& plan) {
  std::string text = "run " + std::to_string(plan.run_bits);
  for (int level = 0; level < plan.count(); ++level)
    text += ", " + std::to_string(plan.levels()[level].repeats) + " times " +
            std::to_string(plan.levels()[level].extent);
  return text;
}

std::uint64_t data_bits(const TilePlan& plan) {
  std::uint64_t bits = plan.run_bits;
  for (int level = 0; level < plan.count(); ++level)
    bits *= plan.levels()[level].extent;
  return bits;
}

std::uint64_t output_bits(const TilePlan& plan) {
  std::uint64_t bits = data_bits(plan);
  for (int level = 0; level < plan.count(); ++level)
    bits *= plan.levels()[level].repeats;
  return bits;
}

unsigned mask(std::uint64_t position, bool high_bit_first) {
  return 1U << (high_bit_first ? 7 - position % 8 : position % 8);
}

// Returns the position in the data of this bit of the output, by division alone.
std::uint64_t source_of(const TilePlan& plan, std::uint64_t position) {
  std::uint64_t source = position % plan.run_bits, block = plan.run_bits, data_block = plan.run_bits;
  for (int level = plan.count(); level-- > 0;) {
    const std::uint64_t extent = plan.levels()[level].extent;
    source += position / block % extent * data_block;
    block *= extent * plan.levels()[level].repeats;
    data_block *= extent;
  }
  return source;
}

using Bytes = std::vector<std::byte>;

// Returns source_of() for each bit of the output.
std::vector<std::uint32_t> sources_of(const TilePlan& plan) {
  std::vector<std::uint32_t> sources(output_bits(plan));
  for (std::size_t position = 0; position < sources.size(); ++position)
    sources[position] = static_cast<std::uint32_t>(source_of(plan, position));
  return sources;
}

Bytes bit_by_bit(const std::vector<std::uint32_t>& sources, bool high_bit_first, const std::byte* data) {
  Bytes output((sources.size() + 7) / 8, std::byte{0});
  for (std::size_t position = 0; position < sources.size(); ++position) {
    const std::uint64_t source = sources[position];
    if ((std::to_integer<unsigned>(data[source / 8]) & mask(source, high_bit_first)) != 0)
      output[position / 8] |= static_cast<std::byte>(mask(position, high_bit_first));
  }
  return output;
}

// A buffer between two inaccessible pages, adjacent to either of them.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t most)
      : inside_((most + page - 1) / page * page),
        all_(static_cast<std::byte*>(
            mmap(nullptr, inside_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(all_ + page, inside_, PROT_READ | PROT_WRITE);
  }
  ~GuardedBytes() { munmap(all_, inside_ + 2 * page); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::byte* first() { return all_ + page; }
  std::byte* last(std::size_t bytes) { return all_ + page + inside_ - bytes; }

 private:
  static constexpr std::size_t page = 4096;
  std::size_t inside_;
  std::byte* all_;
};

constexpr std::size_t most_bytes = 1U << 16;

class TilePacked : public testing::Test {
 protected:
  // Tests both orders, with data and output close to the page before them and to the page after them.
  void expect_right(const TilePlan& plan, const ByteKernel& kernel = *best_byte_kernel()) {
    const std::size_t data_size = (data_bits(plan) + 7) / 8, size = (output_bits(plan) + 7) / 8;
    ASSERT_LE(size, most_bytes);
    const std::vector<std::uint32_t> sources = sources_of(plan);
    for (const bool high_bit_first : {false, true})
      for (const bool at_end : {false, true}) {
        std::byte* data = at_end ? data_.last(data_size) : data_.first();
        std::byte* to = at_end ? output_.last(size) : output_.first();
        // The padding bits of the data's last byte are ones, which must not get into the output.
        std::generate_n(data, data_size, [this] { return static_cast<std::byte>(random_()); });
        for (std::uint64_t bit = data_bits(plan); bit % 8 != 0; ++bit)
          data[bit / 8] |= static_cast<std::byte>(mask(bit, high_bit_first));
        std::fill_n(output_.first(), most_bytes, canary);
        // Long outputs are streamed in half of the cases.
        const Stores stores = at_end ? Stores::streaming : Stores::ordinary;
        tile_packed(plan, high_bit_first, data, to, 0, size, kernel, stores);
        const Bytes wanted = bit_by_bit(sources, high_bit_first, data);
        const std::string which = plan_in_words(plan) + (high_bit_first ? ", high bit first" : "") +
                                  (at_end ? ", at the end" : "") + ", " + kernel.name;
        ASSERT_EQ(Bytes(to, to + size), wanted) << which;
        const auto others =
            std::count(output_.first(), to, canary) + std::count(to + size, output_.last(0), canary);
        ASSERT_EQ(others, static_cast<std::ptrdiff_t>(most_bytes - size)) << which;
        // In three parts, the last one first, so that no part may write into the next.
        const std::uint64_t cut = drawn(0, size), later = drawn(cut, size);
        std::fill_n(to, size, canary);
        for (const auto& [begin, end] : {std::pair{later, size}, {cut, later}, {0, cut}})
          tile_packed(plan, high_bit_first, data, to, begin, end, kernel, stores);
        ASSERT_EQ(Bytes(to, to + size), wanted) << which << ", cut at " << cut << " and " << later;
      }
  }

  std::uint64_t drawn(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random_);
  }

  // Returns a plan of up to four axes, each repeated or not, like that of elements of `width` bits.
  TilePlan random_plan(std::uint64_t width) {
    const std::uint64_t run_bits = width * drawn(1, drawn(1, 50));
    // Most plans are small, so that there can be many.
    std::uint64_t room = (drawn(1, 20) == 1 ? 8 * most_bytes : 8 * most_bytes / 32) / run_bits;
    const auto factor = [&] {
      const std::uint64_t most = std::min(room, drawn(1, 4) == 1 ? std::uint64_t{500} : std::uint64_t{9});
      const std::uint64_t value = drawn(1, most);
      room /= value;
      return value;
    };
    std::vector<TiledAxis> axes(drawn(0, 4));
    for (TiledAxis& axis : axes)
      axis = {factor(), factor()};
    return plan_of(axes, run_bits);
  }

  static constexpr std::byte canary{0xA5};
  GuardedBytes data_{most_bytes}, output_{most_bytes};
  std::mt19937_64 random_{1};
};

TEST_F(TilePacked, AgreesWithALoopOverBitsOnRandomPlans) {
  for (int round = 0; round < 500 && !HasFatalFailure(); ++round)
    for (const std::uint64_t width : {1U, 2U, 3U, 4U, 6U, 8U})
      expect_right(random_plan(width));
}

TEST_F(TilePacked, CopiesRunsOfEveryLength) {
  for (std::uint64_t run = 1; run <= 700 && !HasFatalFailure(); ++run)
    expect_right(plan_of({}, run));
}

TEST_F(TilePacked, RepeatsRunsOfEveryLengthAFewTimes) {
  for (std::uint64_t run = 1; run <= 300 && !HasFatalFailure(); ++run)
    for (const std::uint64_t repeats : {2U, 3U, 9U})
      expect_right(plan_of({{5, 1}, {1, repeats}}, run));
}

TEST_F(TilePacked, RepeatsRunsOfEveryLengthOften) {
  for (std::uint64_t run = 1; run <= 300 && !HasFatalFailure(); run += run < 70 ? 1 : 23)
    expect_right(plan_of({{3, 1}, {1, 60000 / run}}, run));
}

TEST_F(TilePacked, RepeatsManyShortRowsByEveryKernel) {
  for (const ByteKernel& kernel : byte_kernels()) {
    if (!kernel.supported()) continue;
    for (std::uint64_t run = 1; run <= 130 && !HasFatalFailure(); ++run)
      for (const std::uint64_t repeats : {2U, 3U, 7U})
        if (400 * run * repeats <= 8 * most_bytes)
          expect_right(plan_of({{400, 1}, {1, repeats}}, run), kernel);
    expect_right(plan_of({{3, 2}, {131, 1}, {1, 2}}, 29), kernel);  // groups begin at odd places
    expect_right(plan_of({{1, 3}, {500, 1}, {1, 20}}, 11), kernel);
  }
}

TEST_F(TilePacked, RepeatsSeveralLevelsOfFewElementsByEveryKernel) {
  std::mt19937_64 random(20261124);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  for (const ByteKernel& kernel : byte_kernels()) {
    if (!kernel.supported()) continue;
    for (int round = 0; round < 600 && !HasFatalFailure(); ++round) {
      std::vector<TiledAxis> axes;
      for (std::uint64_t axis = 1 + below(5); axis > 0; --axis)
        axes.push_back({1 + below(6), 1 + below(4)});
      const TilePlan plan = plan_of(axes, 1 + below(12));
      if (output_bits(plan) <= 8 * 4096) expect_right(plan, kernel);
    }
  }
}

TEST_F(TilePacked, RepeatsWhatAnInnerLevelRepeated) {
  for (const std::uint64_t run : {1U, 3U, 7U, 57U, 129U})
    for (std::uint64_t repeats = 1; repeats <= 40 && !HasFatalFailure(); ++repeats)
      expect_right(plan_of({{3, repeats}, {5, 2}, {1, 3}}, run));
}

TEST_F(TilePacked, CopiesManyRunsAtOnceToOddPlaces) {
  expect_right(plan_of({{1, 5}, {4999, 2}, {1, 3}}, 3));
  expect_right(plan_of({{1, 9}}, 50001));
  expect_right(plan_of({{1, 3}, {1, 2}, {60000, 1}}, 1));
}

TEST_F(TilePacked, CopiesTheFirstRepeatOfARange) {
  for (const std::uint64_t width : {1U, 3U, 6U}) {
    const TilePlan plan = plan_of({{1, 4}, {601, 1}, {1, 31}}, width);
    EXPECT_EQ(copied_period(plan), 601 * 31 * width);
    for (int round = 0; round < 20 && !HasFatalFailure(); ++round)
      expect_right(plan);  // with other cuts each time
  }
  expect_right(plan_of({{1, 20}, {601, 1}, {1, 31}}, 1));  // eight periods are whole bytes
  EXPECT_EQ(copied_period(plan_of({{1, 4}, {601, 1}, {1, 31}}, 8)), 0U);
  EXPECT_EQ(copied_period(plan_of({{1, 4}, {601, 1}, {1, 3}}, 1)), 0U);
  EXPECT_EQ(copied_period(plan_of({{1, 9}}, 50001)), 0U);
}

TEST_F(TilePacked, WritesNothingForAnOutputWithoutElements) {
  std::fill_n(output_.first(), most_bytes, canary);
  const ByteKernel& kernel = *best_byte_kernel();
  tile_packed(plan_of({}, 0), false, data_.last(0), output_.last(0), 0, 0, kernel, Stores::ordinary);
  tile_packed(plan_of({{1, 0}}, 3), true, data_.last(2), output_.last(0), 0, 0, kernel, Stores::ordinary);
  EXPECT_EQ(std::count(output_.first(), output_.last(0), canary), static_cast<std::ptrdiff_t>(most_bytes));
}

}  // namespace
}  // namespace certile::kernel
