#include "conformance/page/html_report.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "conformance/page/page_run.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

constexpr const char* the_literal = "openvino-tile-1 f32[2,3] x i64{2,2}";

// Returns a page of one run with one failure, which has these words.
std::string page_with_words(const std::string& words, const std::string& name = "mine") {
  RunHeader header = example_header(1);
  header.claim.name = name;
  Record record = example_failure(the_literal, {"OV-T1-X4"});
  record.judged.words = words;
  record.amendments.clear();
  Summary summary(header);
  summary.add(record);
  HtmlReport report;
  report.begin(header);
  report.add(record);
  report.close(summary);
  return report.html();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Returns the data of a page.
Json data_in(const std::string& page) {
  const std::string begin = R"(id="data">)";
  const std::size_t start = page.find(begin) + begin.size();
  return Json::parse(page.substr(start, page.find("</script>", start) - start));
}

TEST(Column, SpellsFiveBitsACharacterTheLowestFirst) {
  Column column;
  for (const std::uint64_t number : {0U, 1U, 31U, 32U, 1023U, 1024U})
    column.add(number);
  EXPECT_EQ(column.text(), "ABfgB/fggB");
}

TEST(Column, SpellsSignedNumbersByTheirLowestBit) {
  Column column;
  for (const std::int64_t number : {0, -1, 1, -2, 16})
    column.add_signed(number);
  EXPECT_EQ(column.text(), "ABCDgB");
}

TEST(TextTable, NumbersEachTextOnce) {
  TextTable table;
  EXPECT_EQ(table.number_of("a"), 0U);
  EXPECT_EQ(table.number_of("b"), 1U);
  EXPECT_EQ(table.number_of("a"), 0U);
  EXPECT_EQ(table.texts(), (std::vector<std::string_view>{"a", "b"}));
}

TEST(HtmlReport, NoTextOfARunEndsTheElementOfTheData) {
  const std::string plain = page_with_words("plain");
  const std::string hostile = page_with_words("</script><script>alert(1)</script><!--", "]]><script>");
  EXPECT_EQ(count_of(hostile, "<script"), count_of(plain, "<script"));
  EXPECT_EQ(count_of(hostile, "</script>"), count_of(plain, "</script>"));
  EXPECT_EQ(count_of(hostile, "<!--"), 0U);
  const Json data = data_in(hostile);
  EXPECT_EQ(data.at("runs").at(0).at("header").at("claim").at("name"), "]]><script>");
  EXPECT_EQ(data.at("runs").at(0).at("records").at(0).at("record").at("explanation"),
            "</script><script>alert(1)</script><!--");
}

TEST(HtmlReport, TheMarksOfTheFormInATextStayAsTheyAre) {
  const Json data = data_in(page_with_words("@DATA@ @SCRIPT@ @STYLE_POLICY@"));
  EXPECT_EQ(data.at("runs").at(0).at("records").at(0).at("record").at("explanation"),
            "@DATA@ @SCRIPT@ @STYLE_POLICY@");
}

TEST(HtmlReport, ItsPolicyLetsNothingRunButItsOwnProgram) {
  const std::string page = page_with_words("plain");
  EXPECT_NE(page.find("content=\"default-src 'none'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(count_of(page, "unsafe"), 0U);
  EXPECT_EQ(count_of(page, "<script"), 2U);
}

TEST(HtmlReport, HasAPictureOfAFailure) {
  const Json picture = data_in(page_with_words("wrong")).at("pictures").at(the_literal);
  EXPECT_EQ(picture.at("data"), "f32[2,3]{1,2,3,4,5,6}");
  EXPECT_EQ(picture.at("expected"), "f32[4,6]{1,2,3,1,2,3,4,5,6,4,5,6,1,2,3,1,2,3,4,5,6,4,5,6}");
  EXPECT_EQ(picture.at("data_bits"),
            "3f800000400000004040000040800000"
            "40a0000040c00000");
}

TEST(PictureData, SaysWhichClauseRefusesACase) {
  const Json picture = picture_data("onnx-tile-13 f32[3] x i64{-1}");
  EXPECT_EQ(picture.at("refused"), "ONNX-T13-X3");
  EXPECT_FALSE(picture.at("why").get<std::string>().empty());
}

TEST(PictureData, HasNoneOfALargeOutputNorOfTextThatIsNoCase) {
  EXPECT_TRUE(picture_data("openvino-tile-1 f32[33] x i64{32}").is_null());
  EXPECT_FALSE(picture_data("openvino-tile-1 f32[32] x i64{32}").is_null());
  EXPECT_TRUE(picture_data("openvino-tile-1 f32[9223372036854775807] x i64{1} @infer").is_null());
  EXPECT_TRUE(picture_data("no case").is_null());
}

TEST(PictureData, SpellsTheBitsOfPackedAndLongElements) {
  EXPECT_EQ(bits_of_operand("u4{1,15}"), "1f");
  EXPECT_EQ(bits_of_operand("u1{1,0}"), "10");
  EXPECT_EQ(bits_of_operand("c64{0x400000003f800000}"), "400000003f800000");
  EXPECT_EQ(bits_of_operand("string{\"a\"}"), "");
  EXPECT_EQ(bits_of_operand("f32[99999999]"), "");
  EXPECT_EQ(bits_of_operand("nonsense"), "");
}

TEST(HtmlReport, ABenchmarkKeepsItsSharesAndNoMore) {
  const std::string path = temporary_path(".json");
  std::ofstream(path)
      << R"({"context":{"date":"today","host":"secret","certile":{"cases":[]}},"benchmarks":[)"
      << R"({"family_index":3,"share_of_limit":0.5,"real_time":1},{"family_index":3,"real_time":2}]})";
  HtmlReport report;
  ASSERT_TRUE(report.add_benchmark(path));
  EXPECT_EQ(
      data_in(report.html()).at("benchmarks").dump(),
      R"([{"context":{"date":"today","certile":{"cases":[]}},"benchmarks":[{"family_index":3,"share_of_limit":0.5}]}])");
}

TEST(HtmlReport, AFileThatIsNoBenchmarkIsNamed) {
  const std::string path = temporary_path(".json");
  std::ofstream(path) << "{}";
  HtmlReport report;
  const auto done = report.add_benchmark(path);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, path + " is no result of certile-bench --json");
}

}  // namespace
}  // namespace certile::conformance
