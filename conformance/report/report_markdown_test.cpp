#include <gtest/gtest.h>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

std::string markdown(const std::vector<const Summary*>& summaries) {
  const std::string path = temporary_path(".md");
  const Result<Done> done = write_markdown(path, summaries);
  EXPECT_TRUE(done);
  return file_content(path);
}

TEST(MarkdownReport, HasARowForEachBackend) {
  const Summary good = conformant_summary(), bad = failing_summary();
  const std::string text = markdown({&good, &bad});
  EXPECT_NE(
      text.find("| mine 1 | openvino-tile-1 | core | **CONFORMANT (full)** | 1 | 0 | 0 | 0 | 0 | 0 | 0 | "
                "40 of 40 clauses proven |\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("<details><summary>2 of 40 clauses proven</summary>"), std::string::npos) << text;
}

TEST(MarkdownReport, ShowsAFailureWithItsCommandInABlock) {
  const Summary bad = failing_summary();
  EXPECT_NE(markdown({&bad}).find(
                "### OV-T1-X4 zero-repeat (ours): 1 failure\n"
                "\n"
                "```text\n"
                "fail  mine  openvino-tile-1 f32[2,3] x i64{2,2}   elements   [OV-T1-X4 zero-repeat]\n"
                "      element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs\n"
                "      look closer: certile run ./libmine.so 'openvino-tile-1 f32[2,3] x i64{2,2}'\n"
                "```\n"),
            std::string::npos);
}

TEST(MarkdownReport, ANameIsNeitherMarkupNorHtml) {
  RunHeader header = example_header(1);
  header.claim.name = "a|`b`<script>";
  const Summary summary(header);
  const std::string text = markdown({&summary});
  EXPECT_NE(text.find("| \"a&#124;&#96;b&#96;&#60;script&#62;\" 1 |"), std::string::npos) << text;
  EXPECT_EQ(text.find("<script>"), std::string::npos);
}

TEST(MarkdownReport, IsCutBelowItsLimitWithANotice) {
  std::vector<Summary> summaries(60, failing_summary());
  for (Summary& summary : summaries) {
    for (const char* id : {"OV-T1-X1", "OV-T1-X3", "OV-T1-X4", "OV-T1-R1"}) {
      for (int index = 0; index < 10; ++index) {
        Record record = example_failure("openvino-tile-1 f32[2] x i64{2}", {id});
        record.amendments.back().words = std::string(5000, 'x');
        summary.add(record);
      }
    }
  }
  std::vector<const Summary*> pointers;
  for (const Summary& summary : summaries)
    pointers.push_back(&summary);
  const std::string text = markdown(pointers);
  EXPECT_LE(text.size(), 900U * 1024U);
  EXPECT_GT(text.size(), 880U * 1024U);
  const std::string notice = "> **This summary was cut at 900 KiB.** `--records FILE` keeps every case.\n";
  EXPECT_EQ(text.substr(text.size() - notice.size()), notice);
}

TEST(MarkdownReport, AFileThatCannotBeWrittenIsNamed) {
  const Result<Done> done = write_markdown("/no/such/directory/summary.md", {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "cannot write /no/such/directory/summary.md: No such file or directory");
}

}  // namespace
}  // namespace certile::conformance
