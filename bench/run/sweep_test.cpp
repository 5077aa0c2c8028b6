#include "bench/run/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/run/suite.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"

namespace certile::bench {
namespace {

TEST(Sweep, ReachesFromACacheLineToHalfAGibibyte) {
  const auto sweep = parse_suite("sweep", sweep_text());
  ASSERT_TRUE(sweep);
  std::size_t smallest = SIZE_MAX, largest = 0;
  for (const SuiteCase& each : sweep->cases) {
    const auto shape = oracle::output_shape(each.question);
    const auto bytes = byte_size(each.question.data.type(), *element_count(*shape));
    smallest = std::min(smallest, *bytes);
    largest = std::max(largest, *bytes);
  }
  EXPECT_EQ(largest, std::size_t{512} << 20);
  EXPECT_LE(smallest, 64u);
}

TEST(Sweep, HasRowsOf257BytesAndOfPartsOfBytes) {
  EXPECT_NE(sweep_text().find("u8[1,257] x i64{1,15}"), std::string::npos);
  EXPECT_NE(sweep_text().find(" i4["), std::string::npos);
}

}  // namespace
}  // namespace certile::bench
