#include "conformance/page/page.hpp"

#include <gtest/gtest.h>

#include <string>

#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

constexpr const char* the_literal = "openvino-tile-1 f32[2,3] x i64{2,2}";

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Expects that the text has each of these parts.
void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

// The patterns of a run of which nothing is known.
const FailurePatterns no_patterns;

// Returns a failure whose record has the output: the last element is 0 in place of 6.
Record failure_with_output() {
  Record record = example_failure(the_literal, {"OV-T1-X4"});
  record.judged.output = {"f32[4,6]{1,2,3,1,2,3,4,5,6,4,5,6,1,2,3,1,2,3,4,5,6,4,5,0}", {}};
  return record;
}

std::string page_of_failure(const Record& record, RunHeader header = example_header(1)) {
  Summary summary(std::move(header));
  FailurePatterns patterns;
  summary.add(record);
  patterns.add(record);
  return page_of({{&summary, &patterns}});
}

TEST(Markup, EscapesWhatHtmlOrATerminalWouldObey) {
  EXPECT_EQ(Markup::text("<a href=\"x\">'&\x1b[31m").html(),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\x1b[31m");
  EXPECT_EQ(Markup::element("p class=note", "<b>", {{"title", "a\"b"}}).html(),
            "<p class=note title=\"a&quot;b\">&lt;b&gt;</p>");
}

TEST(HtmlPage, OfAPassingRunShowsWhatWasCertified) {
  const Summary summary = conformant_summary();
  const std::string page = page_of({{&summary, &no_patterns}});
  expect_parts(page, {"<title>certile: mine 1: CONFORMANT (full)</title>", "<h3>mine 1</h3>",
                      "✓ CONFORMANT</p>", "openvino-tile-1", "<dt>types</dt>", "<li>f32</li>",
                      "<dt>limits</dt><dd>none</dd>", "tier core, level full, seed 1", "<dt>pass</dt><dd>1",
                      "<dt>fail</dt><dd>0", "25 of 25 clauses proven", "OV-T1-G2", "sha256 aaaa"});
  EXPECT_EQ(count_of(page, "violated"), 0U);
  EXPECT_EQ(count_of(page, "Failures"), 0U);
}

TEST(HtmlPage, NeedsNoScriptAndNothingFromElsewhere) {
  const Summary summary = failing_summary();
  const std::string page = page_of({{&summary, &no_patterns}});
  for (const char* word : {"<script", "<link", "<img", "src=", "url(", "http://", "https://"})
    EXPECT_EQ(count_of(page, word), 0U) << word;
  expect_parts(page, {"default-src 'none'"});
}

TEST(HtmlPage, OfAFailingRunOpensThePlainestFailureOfTheClause) {
  const std::string page = page_of_failure(failure_with_output());
  expect_parts(page,
               {"<h2>Failures</h2>", "<code>OV-T1-X4</code>", "1 failure", "<details open class=failure>",
                "<code>openvino-tile-1 f32[2,3] x i64{2,2}</code>", "element [3,5] is 0x40a00000 (5)",
                "certile run ./libmine.so &#39;openvino-tile-1 f32[2,3] x i64{2,2}&#39;",
                "href=\"#failures-1-OV-T1-X4\"", "id=\"failures-1-OV-T1-X4\""});
}

TEST(HtmlPage, DrawsThePictureOfTheTerminalAndSaysWhere) {
  const std::string page = page_of_failure(failure_with_output());
  EXPECT_EQ(count_of(page, "<table class=grid>"), 2U);
  EXPECT_EQ(count_of(page, "class=\"wrong\""), 1U);
  expect_parts(page, {"0<span class=spoken> wrong, expected 6</span>", "class=\" right\"", "class=\" lower\"",
                      "<li>where: "});
}

TEST(HtmlPage, CountsFailuresByFaultTypeAndRank) {
  Summary summary(example_header(3));
  summary.add(failure_with_output());
  summary.add(example_failure("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-X4"}));
  Record refused = example_failure("openvino-tile-1 f32[3] x i64{2}", {"OV-T1-X4"});
  refused.amendments.back().fault = Fault::refused;
  summary.add(refused);
  expect_parts(page_of({{&summary, &no_patterns}}), {"elements 2, refused 1 · f32 3 · rank 1 2, rank 2 1"});
}

TEST(HtmlPage, NoForeignTextBecomesMarkup) {
  const std::string hostile = "</pre><script>alert(1)</script><img src=x onerror='a()'>";
  RunHeader header = example_header(1);
  header.claim.name = header.claim.version = header.spelling = hostile;
  header.isolation = {hostile};
  Record record = failure_with_output();
  record.literal = record.backend = record.judged.words = hostile;
  record.amendments.clear();
  const std::string page = page_of_failure(record, header);
  EXPECT_EQ(count_of(page, "<script"), 0U);
  EXPECT_EQ(count_of(page, "<img"), 0U);
  EXPECT_EQ(count_of(page, "'a()'"), 0U);
  EXPECT_GE(count_of(page, "&lt;script&gt;"), 4U);
}

TEST(HtmlPage, GivesThreeRunsOfOneBackendDifferentNames) {
  const Summary summary = conformant_summary();
  RunHeader other = example_header(1);
  other.spelling = "./old/libmine.so";
  const Summary third(other);
  EXPECT_EQ(labels_of({{&summary, &no_patterns, "mon.jsonl"},
                       {&summary, &no_patterns, "tue.jsonl"},
                       {&summary, &no_patterns, "wed.jsonl"}}),
            (std::vector<std::string>{"mine 1, mon.jsonl", "mine 1, tue.jsonl", "mine 1, wed.jsonl"}));
  EXPECT_EQ(labels_of({{&summary}, {&third}}),
            (std::vector<std::string>{"mine 1, ./libmine.so", "mine 1, ./old/libmine.so"}));
  EXPECT_EQ(labels_of({{&summary}, {&summary}}),
            (std::vector<std::string>{"mine 1, run 1", "mine 1, run 2"}));
}

TEST(HtmlPage, SaysWhichTwoRunsAreComparedAndWhatGotWorse) {
  const Summary before = conformant_summary(), after = failing_summary();
  Comparison changes{"", before.verdict_line(), after.verdict_line(), {}};
  changes.changes.push_back(
      {"newly failing", true, 12, {"openvino-tile-1 u8[3] x i64{2}   OV-T1-X4 elements"}});
  const std::string page = page_of(
      {{&before, &no_patterns, "mon.jsonl", true}, {&after, &no_patterns, "tue.jsonl", false, 0, changes}});
  expect_parts(page, {"<h2>Since the earlier run</h2>",
                      "<b>mine 1, tue.jsonl</b> compared with <b>mine 1, mon.jsonl</b>",
                      "newly failing: <b>12</b>", "openvino-tile-1 u8[3] x i64{2}   OV-T1-X4 elements",
                      "and 11 more", "<small>earlier run</small>", "after, binary aaaaaaaa: NOT CONFORMANT"});
}

TEST(HtmlPage, IsAlwaysTheSameForTheSameRuns) {
  EXPECT_EQ(page_of_failure(failure_with_output()), page_of_failure(failure_with_output()));
}

}  // namespace
}  // namespace certile::conformance
