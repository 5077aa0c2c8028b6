#include <gtest/gtest.h>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

std::string badge(const std::vector<const Summary*>& summaries) {
  const std::string path = temporary_path(".json");
  EXPECT_TRUE(write_badge(path, summaries));
  return file_content(path);
}

std::string badge_with(const std::string& message, const std::string& colour) {
  return R"({"schemaVersion":1,"label":"Tile","message":")" + message + R"(","color":")" + colour + "\"}\n";
}

TEST(Badge, ShowsTheVerdictAndTheTier) {
  const Summary right = conformant_summary(), wrong = failing_summary();
  EXPECT_EQ(badge({&right}), badge_with("conformant (core)", "brightgreen"));
  EXPECT_EQ(badge({&wrong}), badge_with("not conformant (core)", "red"));
}

TEST(Badge, NamesTheGravestOfSeveral) {
  const Summary right = conformant_summary(), wrong = failing_summary();
  EXPECT_EQ(badge({&right, &wrong, &right}), badge_with("mine: not conformant (core)", "red"));
  EXPECT_EQ(badge({&right, &right}), badge_with("conformant (core)", "brightgreen"));
}

TEST(Badge, ShowsATextThatHoldsWhereNothingElseWasAskedFor) {
  RunHeader header = failing_summary().header();
  header.level = Level::text;
  Summary summary(std::move(header));
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-G2"}));
  summary.add(example_failure("openvino-tile-1 f32[2] x i64{0}", {"OV-T1-X4"}));
  EXPECT_EQ(badge({&summary}), badge_with("conformant to the text (core)", "yellowgreen"));
}

TEST(Badge, IsNotGreenForAPartOrAnUnfinishedRun) {
  RunHeader header = example_header(1);
  header.filtered = true;
  Summary part(header);
  part.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-G2"}));
  EXPECT_EQ(badge({&part}), badge_with("a part was run (core)", "lightgrey"));
  Summary unfinished = conformant_summary();
  unfinished.mark_incomplete("it was interrupted");
  EXPECT_EQ(badge({&unfinished}), badge_with("not finished (core)", "orange"));
}

}  // namespace
}  // namespace certile::conformance
