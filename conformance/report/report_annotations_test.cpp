#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

std::string annotations(const std::vector<const Summary*>& summaries) {
  const std::string path = temporary_path(".txt");
  EXPECT_TRUE(write_annotations(path, summaries));
  return file_content(path);
}

TEST(Annotations, AreALineForEachViolatedClauseWithItsLiteral) {
  const Summary right = conformant_summary(), wrong = failing_summary();
  EXPECT_EQ(annotations({&right}), "");
  const std::string text = annotations({&right, &wrong});
  EXPECT_TRUE(
      text.starts_with("::error title=mine%3A OV-T1-X4 zero-repeat (ours)%3A 1 failure::fail  mine  "))
      << text;
  EXPECT_NE(text.find("certile run "), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST(Annotations, AreAtMostTen) {
  const auto& clauses = page_of(openvino_tile_1).clauses;
  ASSERT_GT(clauses.size(), 11U);
  Summary summary(example_header(12));
  for (std::size_t index = 0; index < 12; ++index)
    summary.add(
        example_failure("openvino-tile-1 f32[2] x i64{" + std::to_string(index) + "}", {clauses[index].id}));
  EXPECT_EQ(std::ranges::count(annotations({&summary}), '\n'), 10);
}

TEST(Annotations, CannotBeEndedByWhatABackendSays) {
  RunHeader header = example_header(1);
  header.claim.name = "a,b::c%\n::error::d";
  Summary summary(std::move(header));
  summary.add(example_failure("openvino-tile-1 f32[2] x i64{0}", {"OV-T1-X4"}));
  const std::string text = annotations({&summary});
  EXPECT_TRUE(text.starts_with("::error title=\"a%2Cb%3A%3Ac%25")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

}  // namespace
}  // namespace certile::conformance
