#include "conformance/waivers/waiver_book.hpp"

#include <gtest/gtest.h>

#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::year_month_day today = 2027y / 1 / 15;
const std::string waived_case = "onnx-tile-13 f16[2] x i64{0}";

WaiverBook book_of(const std::string& subject, const std::string& until = "2027-01-15") {
  auto waivers =
      parse_waivers(subject + " elements \"known\" owner: me link: none until: " + until, "mine.waivers");
  EXPECT_TRUE(waivers) << waivers.error().what;
  return {*std::move(waivers), today};
}

Record record_of(Verdict verdict, Fault fault = Fault::none) {
  Record record;
  record.literal = waived_case;
  record.definition = onnx_tile_13;
  record.type = ElementType::f16;
  record.judged.verdict = verdict;
  record.judged.fault = fault;
  if (verdict == Verdict::fail) record.judged.charged = "ONNX-T13-X2";
  record.judged.words = verdict == Verdict::fail ? "element [0] is 1" : "";
  return record;
}

TEST(WaiverBook, AcceptsAFailureOfItsCaseAndOfItsClauseWithItsType) {
  for (const std::string& subject : {"'" + waived_case + "'", std::string("ONNX-T13-X2 f16")}) {
    WaiverBook book = book_of(subject);
    Record record = record_of(Verdict::fail, Fault::elements);
    book.apply(record);
    EXPECT_EQ(record.now().verdict, Verdict::waived) << subject;
    EXPECT_EQ(record.now().words, "element [0] is 1\nwaived: known (me, none, until 2027-01-15)");
    EXPECT_TRUE(book.stale(true).empty());
    EXPECT_EQ(book.in_use().size(), 1U);
  }
}

TEST(WaiverBook, AcceptsNoOtherTypeClauseOrCase) {
  for (const char* subject : {"ONNX-T13-X2 f32", "ONNX-T13-X3 f16", "'onnx-tile-13 f16[3] x i64{0}'"}) {
    WaiverBook book = book_of(subject);
    Record record = record_of(Verdict::fail, Fault::elements);
    book.apply(record);
    EXPECT_EQ(record.now().verdict, Verdict::fail) << subject;
    EXPECT_EQ(book.stale(true).size(), 1U);
    EXPECT_TRUE(book.stale(false).empty()) << "a case that was not run may need it";
  }
}

TEST(WaiverBook, AcceptsNoOtherFault) {
  WaiverBook book = book_of("ONNX-T13-X2 f16");
  Record record = record_of(Verdict::fail, Fault::crash);
  book.apply(record);
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_NE(record.now().words.find("waived only for the fault elements"), std::string::npos);
}

TEST(WaiverBook, AcceptsNothingAfterItsLastDayAndSaysSoInAnyRun) {
  WaiverBook book = book_of("ONNX-T13-X2 f16", "2027-01-14");
  Record record = record_of(Verdict::fail, Fault::elements);
  book.apply(record);
  EXPECT_EQ(record.now().verdict, Verdict::fail);
  EXPECT_NE(record.now().words.find("its waiver has expired"), std::string::npos);
  ASSERT_EQ(book.stale(false).size(), 1U);
  EXPECT_EQ(book.stale(false)[0].rfind("has expired: ONNX-T13-X2 f16 elements", 0), 0U);
}

TEST(WaiverBook, TellsACaseThatPassesAndIsWaived) {
  WaiverBook book = book_of("'" + waived_case + "'");
  EXPECT_EQ(book.literals(), std::vector<std::string>{waived_case});
  Record record = record_of(Verdict::pass);
  book.apply(record);
  EXPECT_EQ(record.now().verdict, Verdict::stale_waiver);
  EXPECT_TRUE(book.stale(true).empty()) << "the record says it";
}

TEST(WaiverBook, LeavesWhatIsNeitherAPassNorAFailure) {
  WaiverBook book = book_of("'" + waived_case + "'");
  Record record = record_of(Verdict::unsupported);
  book.apply(record);
  EXPECT_EQ(record.now().verdict, Verdict::unsupported);
}

TEST(WaiverProposal, GivesOneFailureItsCaseAndSeveralTheirClause) {
  WaiverProposal proposal;
  EXPECT_TRUE(proposal.is_empty());
  Record one = record_of(Verdict::fail, Fault::elements);
  proposal.add(one);
  Record other = record_of(Verdict::fail, Fault::crash);
  proposal.add(other);
  other.literal = "onnx-tile-13 f16[12] x i64{0}";
  proposal.add(other);
  proposal.add(record_of(Verdict::pass));
  EXPECT_EQ(
      proposal.text({}, 2027y / 7 / 14),
      "# The failures that are accepted, until when, and their owners.  docs/waivers.md describes the form.\n"
      "\n'onnx-tile-13 f16[2] x i64{0}' elements \"element [0] is 1\" owner: ? link: ? until: 2027-07-14\n"
      "\n# 2 cases, the plainest: onnx-tile-13 f16[2] x i64{0}"
      "\nONNX-T13-X2 f16 crash \"element [0] is 1\" owner: ? link: ? until: 2027-07-14\n");
}

}  // namespace
}  // namespace certile::conformance
