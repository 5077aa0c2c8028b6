#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

std::string junit(const std::vector<const Summary*>& summaries) {
  const std::string path = temporary_path(".xml");
  const Result<Done> done = write_junit(path, summaries);
  EXPECT_TRUE(done);
  return file_content(path);
}

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(text.c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

pugi::xml_node test_named(const pugi::xml_document& document, const char* name) {
  return document.child("testsuites").child("testsuite").find_child_by_attribute("testcase", "name", name);
}

TEST(JunitReport, CountsTheTestsOfASuite) {
  const Summary summary = failing_summary();
  const pugi::xml_document document = parsed(junit({&summary}));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "mine 1");
  EXPECT_EQ(suite.attribute("tests").as_int(), 3);  // the verdict, the group, the case
  EXPECT_EQ(suite.attribute("failures").as_int(), 3);
  EXPECT_EQ(suite.attribute("errors").as_int(), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 0);
}

TEST(JunitReport, AFailureHasItsTextInTheBodyAndItsFirstLineAsMessage) {
  const Summary summary = failing_summary();
  const pugi::xml_document document = parsed(junit({&summary}));
  const pugi::xml_node failure = test_named(document, "openvino-tile-1 f32[2,3] x i64{2,2}").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "elements");
  EXPECT_STREQ(failure.attribute("message").value(),
               "fail  mine  openvino-tile-1 f32[2,3] x i64{2,2}   elements   [OV-T1-X4 zero-repeat]");
  EXPECT_EQ(std::string(failure.text().get()),
            describe_failure(summary.failures().front(), summary.header().spelling));
}

TEST(JunitReport, AConformantRunHasNoFailure) {
  const Summary summary = conformant_summary();
  const pugi::xml_document document = parsed(junit({&summary}));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("failures").as_int(), 0);
  EXPECT_STREQ(
      suite.child("properties").find_child_by_attribute("name", "verdict").attribute("value").value(),
      "CONFORMANT (full)");
}

TEST(JunitReport, ARunWithoutCasesIsAnErrorAndNotGreen) {
  const Summary summary(example_header(0));
  const pugi::xml_document document = parsed(junit({&summary}));
  EXPECT_EQ(document.child("testsuites").child("testsuite").attribute("errors").as_int(), 1);
  EXPECT_STREQ(test_named(document, "conformance").child("error").attribute("message").value(),
               "NOTHING RUN (no case was planned)");
}

TEST(JunitReport, ADefinitionBesideTheClaimIsNoSkippedTest) {
  Summary summary(example_header(2));
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {}));
  Record other = example_pass("onnx-tile-13 f32[2] x i64{2}", {});
  other.judged.verdict = Verdict::unsupported;
  summary.add(other);
  const pugi::xml_document document = parsed(junit({&summary}));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("skipped").as_int(), 0);
  EXPECT_EQ(suite.attribute("tests").as_int(), 2) << "the verdict, and openvino-tile-1's f32";
}

TEST(JunitReport, GroupsThatWereNotRunAreSkipped) {
  Summary summary(example_header(2));
  Record record = example_pass("openvino-tile-1 u8[2] x i64{2}", {});
  record.type = ElementType::u8;
  record.judged.verdict = Verdict::unsupported;
  summary.add(record);
  record.type = ElementType::i8;
  record.judged.verdict = Verdict::not_run;
  summary.add(record);
  const pugi::xml_document document = parsed(junit({&summary}));
  EXPECT_STREQ(test_named(document, "u8").child("skipped").attribute("message").value(),
               "0 pass, 1 unsupported, 0 not run, 0 waived or inconclusive");
  EXPECT_STREQ(test_named(document, "i8").child("skipped").attribute("message").value(),
               "0 pass, 0 unsupported, 1 not run, 0 waived or inconclusive");
}

TEST(JunitReport, HostileNamesGiveValidXml) {
  const std::string hostile[] = {"\x1b[2J",
                                 "]]>",
                                 "<a b='c'>&amp;\"",
                                 std::string("\0\1\2\x1f\x7f", 5),
                                 "\xff\xfe",
                                 "\xef\xbf\xbf",
                                 "\xed\xa0\x80",
                                 "\xc2\x85",
                                 "a\r\nb",
                                 "<!--",
                                 "\u202e"};
  for (const std::string& text : hostile) {
    RunHeader header = example_header(1);
    header.claim.name = header.claim.version = header.spelling = text;
    header.isolation = {text};
    Summary summary(header);
    Record record = example_failure("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"});
    record.backend = record.amendments.back().words = text;
    summary.add(record);
    summary.mark_incomplete(text);
    const std::string xml = junit({&summary});
    const pugi::xml_document document = parsed(xml);
    EXPECT_TRUE(document.child("testsuites").child("testsuite"));
    for (const char character : xml)
      EXPECT_TRUE(character == '\n' || static_cast<unsigned char>(character) >= 0x20);
    EXPECT_EQ(xml.find("&#"), std::string::npos)
        << "a character that XML 1.0 forbids even when it is escaped";
  }
}

TEST(JunitReport, StaysBelowTheSizeThatReadersRefuse) {
  Summary summary(example_header(3000));
  for (int index = 0; index < 3000; ++index) {
    Record record =
        example_failure("openvino-tile-1 f32[2] x i64{2} fill=bits:" + std::to_string(index), {"OV-T1-X4"});
    record.amendments.back().words = std::string(20000, index % 2 == 0 ? '"' : '&');
    summary.add(record);
  }
  const std::vector<const Summary*> many(8, &summary);
  const std::string xml = junit(many);
  EXPECT_LT(xml.size(), 25'000'000U);
  EXPECT_TRUE(parsed(xml).child("testsuites"));
}

TEST(JunitReport, ListsAtMostAThousandCases) {
  Summary summary(example_header(3000));
  for (int index = 0; index < 3000; ++index) {
    summary.add(
        example_failure("openvino-tile-1 f32[2] x i64{2} fill=bits:" + std::to_string(index), {"OV-T1-X4"}));
  }
  const pugi::xml_document document = parsed(junit({&summary}));
  EXPECT_EQ(document.child("testsuites").child("testsuite").attribute("tests").as_int(), 1002);
}

TEST(JunitReport, AFileThatCannotBeWrittenIsNamed) {
  const Result<Done> done = write_junit("/no/such/directory/junit.xml", {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "cannot write /no/such/directory/junit.xml: No such file or directory");
}

}  // namespace
}  // namespace certile::conformance
