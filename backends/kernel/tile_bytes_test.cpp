// Tests every byte kernel against the definition, one element at a time: lengths around vector widths, every
// alignment, both kinds of stores, ranges, and guard bytes around the output.
#include "backends/kernel/tile_bytes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "backends/shape/plan_of_test.hpp"

namespace certile::kernel {

// Prints the parameter for the names of tests.
void PrintTo(const ByteKernel& each, std::ostream* out) {
  *out << each.name;
}
namespace {

constexpr std::size_t margin = 192;
constexpr std::byte guard{0xA5};

struct Question {
  std::vector<backends::TiledAxis> axes;
  std::size_t width = 1;  // of an element, in bytes
  std::size_t data_offset = 0, out_offset = 0;

  std::size_t data_size() const {
    std::size_t product = width;
    for (const backends::TiledAxis& axis : axes)
      product *= axis.dimension;
    return product;
  }
  std::size_t output_size() const {
    std::size_t product = data_size();
    for (const backends::TiledAxis& axis : axes)
      product *= axis.repeats;
    return product;
  }
  TilePlan plan() const { return backends::plan_of(axes, 8 * width); }

  void add(std::uint64_t dimension, std::uint64_t repeats) { axes.push_back({dimension, repeats}); }
};

std::string to_string(const Question& question) {
  std::string text = std::to_string(question.width) + " bytes";
  for (const backends::TiledAxis& axis : question.axes)
    text += " " + std::to_string(axis.dimension) + "x" + std::to_string(axis.repeats);
  return text + " data+" + std::to_string(question.data_offset) + " out+" +
         std::to_string(question.out_offset);
}

// Returns the output, computed element by element as the operator is defined.
std::vector<std::byte> expected(const Question& question, const std::byte* data) {
  std::vector<std::byte> output(question.output_size());
  for (std::size_t index = 0; index < output.size() / question.width; ++index) {
    std::size_t rest = index, source = 0, stride = 1;
    for (auto axis = question.axes.rbegin(); axis != question.axes.rend(); ++axis) {
      const std::size_t dimension = axis->dimension;
      const std::size_t size = dimension * axis->repeats;
      source += rest % size % dimension * stride;
      rest /= size;
      stride *= dimension;
    }
    std::memcpy(&output[index * question.width], data + source * question.width, question.width);
  }
  return output;
}

// A buffer with a margin on either side, `offset` bytes past a cache line.
class Buffer {
 public:
  Buffer(std::size_t size, std::size_t offset) : bytes_(size + 2 * margin + 64, guard), size_(size) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data() + margin);
    begin_ = bytes_.data() + margin + (64 - address % 64) % 64 + offset % 64;
  }
  std::byte* begin() { return begin_; }
  std::vector<std::byte> content() const { return {begin_, begin_ + size_}; }
  bool is_untouched(std::size_t from, std::size_t to) const {
    for (std::size_t at = from; at < to; ++at)
      if (begin_[at] != guard) return false;
    return true;
  }
  bool kept_margins() const {
    for (const std::byte* at = bytes_.data(); at < begin_; ++at)
      if (*at != guard) return false;
    for (const std::byte* at = begin_ + size_; at < bytes_.data() + bytes_.size(); ++at)
      if (*at != guard) return false;
    return true;
  }

 private:
  std::vector<std::byte> bytes_;
  std::byte* begin_ = nullptr;
  std::size_t size_;
};

class ByteKernelTest : public testing::TestWithParam<ByteKernel> {
 protected:
  void SetUp() override {
    if (!GetParam().supported()) GTEST_SKIP() << GetParam().name << " is not supported by this CPU";
  }

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  // Returns data whose bytes differ, in memory that ends right after the data for the address sanitizer.
  std::vector<std::byte> data_for(const Question& question) {
    std::vector<std::byte> data(question.data_offset + question.data_size());
    for (std::byte& each : data)
      each = static_cast<std::byte>(random_());
    return data;
  }

  Question random_question(std::size_t most_bytes) {
    for (;;) {
      Question question;
      question.width = std::vector<std::size_t>{1, 2, 3, 4, 8, 12, 16}[below(7)];
      question.data_offset = below(65);
      question.out_offset = below(65);
      const std::size_t rank = below(6);
      for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::size_t dimension = below(3) == 0 ? 1 + below(257 / question.width) : 1 + below(7);
        const std::size_t repeats = below(4) == 0 ? 1 + below(40) : 1 + below(4);
        question.add(dimension, repeats);
      }
      if (question.output_size() <= most_bytes) return question;
    }
  }

  void expect_all(const Question& question) {
    const auto data = data_for(question);
    const std::byte* const from = data.data() + question.data_offset;
    const auto wanted = expected(question, from);
    Buffer out(wanted.size(), question.out_offset);
    GetParam().tile(question.plan(), from, out.begin());
    EXPECT_TRUE(out.content() == wanted) << to_string(question);
    EXPECT_TRUE(out.kept_margins()) << to_string(question);
  }

  void expect_range(const Question& question, std::size_t begin, std::size_t end, Stores stores) {
    const auto data = data_for(question);
    const std::byte* const from = data.data() + question.data_offset;
    const auto wanted = expected(question, from);
    Buffer out(wanted.size(), question.out_offset);
    GetParam().tile_range(question.plan(), from, out.begin(), begin, end, stores);
    const std::string which = to_string(question) + " [" + std::to_string(begin) + "," + std::to_string(end) +
                              ")" + (stores == Stores::streaming ? " streaming" : "");
    EXPECT_TRUE(std::equal(out.begin() + begin, out.begin() + end,
                           wanted.begin() + static_cast<std::ptrdiff_t>(begin)))
        << which;
    EXPECT_TRUE(out.is_untouched(0, begin)) << which;
    EXPECT_TRUE(out.is_untouched(end, wanted.size())) << which;
    EXPECT_TRUE(out.kept_margins()) << which;
  }

  std::mt19937_64 random_{20240607};
};

TEST_P(ByteKernelTest, RepeatsEveryShortBlockEverySmallNumberOfTimes) {
  for (std::uint64_t width = 1; width <= 70; ++width)
    for (std::uint64_t repeats = 1; repeats <= 9; ++repeats) {
      Question question;
      question.add(37, 1);
      question.add(width, repeats);
      question.out_offset = below(64);
      expect_all(question);
    }
}

TEST_P(ByteKernelTest, FillsWithEveryPeriodFromEveryPhase) {
  for (std::uint64_t width = 1; width <= 257; ++width) {
    Question question;
    question.add(width, 2000 / width + 2);
    question.out_offset = below(64);
    expect_all(question);
    const std::size_t begin = below(width);
    expect_range(question, begin, begin + 1700, Stores::ordinary);
  }
}

TEST_P(ByteKernelTest, WritesEveryLengthAroundVectorWidthsAtEveryAlignment) {
  for (const std::uint64_t width : {1,  7,   8,   15,  16,  17,  31,  32,  33,  47,  48,   63,  64,
                                    65, 127, 128, 129, 191, 192, 255, 256, 257, 511, 1023, 1025})
    for (const std::uint64_t repeats : {1, 2, 3})
      for (std::size_t offset = 0; offset < 64; offset += 3) {
        Question question;
        question.add(width, repeats);
        question.out_offset = offset;
        expect_all(question);
      }
}

TEST_P(ByteKernelTest, AgreesWithTheDefinitionOnRandomPlans) {
  for (int round = 0; round < 4000; ++round)
    expect_all(random_question(60'000));
}

TEST_P(ByteKernelTest, AgreesWithTheDefinitionOnSmallOutputsOfManyAxes) {
  for (int round = 0; round < 4000; ++round) {
    Question question;
    question.width = std::vector<std::size_t>{1, 1, 2, 3, 4, 8, 16}[below(7)];
    question.data_offset = below(65);
    question.out_offset = below(65);
    for (std::size_t axis = 2 + below(9); axis > 0; --axis)
      question.add(1 + below(3), 1 + below(3));
    if (question.output_size() <= 8192) expect_all(question);
  }
}

TEST_P(ByteKernelTest, WritesExactlyTheRangesAskedFor) {
  for (int round = 0; round < 3000; ++round) {
    const Question question = random_question(40'000);
    const std::size_t size = question.output_size();
    const std::size_t begin = below(size + 1), end = begin + below(size - begin + 1);
    expect_range(question, begin, end, round % 2 == 0 ? Stores::ordinary : Stores::streaming);
  }
}

TEST_P(ByteKernelTest, StreamsWholeOutputs) {
  for (int round = 0; round < 1000; ++round) {
    const Question question = random_question(60'000);
    expect_range(question, 0, question.output_size(), Stores::streaming);
  }
}

TEST_P(ByteKernelTest, ScattersDataThatIsTooLargeToKeep) {
  for (int round = 0; round < 300; ++round) {
    const Question question = random_question(300'000);
    const auto data = data_for(question);
    const std::byte* const from = data.data() + question.data_offset;
    const auto wanted = expected(question, from);
    Buffer out(wanted.size(), question.out_offset);
    GetParam().stream(question.plan(), from, out.begin(), 0);
    EXPECT_TRUE(out.content() == wanted) << to_string(question);
    EXPECT_TRUE(out.kept_margins()) << to_string(question);
  }
  Question question;
  question.width = 3;
  question.add(2, 1);
  question.add(50'001, 3);
  question.out_offset = 5;
  const auto data = data_for(question);
  const auto wanted = expected(question, data.data());
  Buffer out(wanted.size(), question.out_offset);
  GetParam().stream(question.plan(), data.data(), out.begin(), 1000);
  EXPECT_TRUE(out.content() == wanted);
  EXPECT_TRUE(out.kept_margins());
}

TEST_P(ByteKernelTest, WritesPeriodsLongerThanItsScratch) {
  for (const std::uint64_t inner : {5, 64, 300})
    for (const Stores stores : {Stores::ordinary, Stores::streaming}) {
      Question question;
      question.add(3, 2);
      question.add(30'000 / inner, 3);
      question.add(inner, 2);
      question.out_offset = below(64);
      expect_all(question);
      expect_range(question, 12'345, 777'777 - 300'000, stores);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, ByteKernelTest,
                         testing::ValuesIn(byte_kernels().begin(), byte_kernels().end()),
                         [](const auto& each) {
                           std::string identifier(each.param.name);
                           for (char& character : identifier)
                             if (character == '-') character = '_';
                           return identifier;
                         });

}  // namespace
}  // namespace certile::kernel
