#include "conformance/records/clause_state.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

// Returns a word for the count of a tally.
const char* word_for(std::int64_t ClauseTally::*bearing) {
  return bearing == nullptr                  ? "nothing"
         : bearing == &ClauseTally::unasked  ? "unasked"
         : bearing == &ClauseTally::proven   ? "proves"
         : bearing == &ClauseTally::accepted ? "accepted"
         : bearing == &ClauseTally::failed   ? "doubts"
         : bearing == &ClauseTally::waived   ? "waives"
                                             : "violates";
}
constexpr std::array state_words{"proven",   "so far",        "violated",  "waived",
                                 "in doubt", "not exercised", "defective", "not testable"};

// The columns: the clause is charged and exercised, charged alone, exercised alone, neither.
TEST(ClauseState, EachKindOfRecordBearsOnAClauseInOneWay) {
  struct Row {
    Verdict verdict;
    bool vacuous, without_elements;
    std::array<const char*, 4> bearings;
  };
  constexpr std::array<Row, 28> rows{{
      {Verdict::pass, false, false, {"proves", "nothing", "proves", "nothing"}},
      {Verdict::pass, false, true, {"proves", "nothing", "proves", "nothing"}},
      {Verdict::pass, true, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::pass, true, true, {"proves", "nothing", "proves", "nothing"}},
      {Verdict::fail, false, false, {"violates", "violates", "doubts", "nothing"}},
      {Verdict::fail, false, true, {"violates", "violates", "doubts", "nothing"}},
      {Verdict::fail, true, false, {"violates", "violates", "doubts", "nothing"}},
      {Verdict::fail, true, true, {"violates", "violates", "doubts", "nothing"}},
      {Verdict::unsupported, false, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::unsupported, false, true, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::unsupported, true, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::unsupported, true, true, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::waived, false, false, {"waives", "waives", "accepted", "nothing"}},
      {Verdict::waived, false, true, {"waives", "waives", "accepted", "nothing"}},
      {Verdict::waived, true, false, {"waives", "waives", "accepted", "nothing"}},
      {Verdict::waived, true, true, {"waives", "waives", "accepted", "nothing"}},
      {Verdict::stale_waiver, false, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::stale_waiver, false, true, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::stale_waiver, true, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::stale_waiver, true, true, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::inconclusive, false, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::inconclusive, false, true, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::inconclusive, true, false, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::inconclusive, true, true, {"nothing", "nothing", "nothing", "nothing"}},
      {Verdict::not_run, false, false, {"unasked", "nothing", "unasked", "nothing"}},
      {Verdict::not_run, false, true, {"unasked", "nothing", "unasked", "nothing"}},
      {Verdict::not_run, true, false, {"unasked", "nothing", "unasked", "nothing"}},
      {Verdict::not_run, true, true, {"unasked", "nothing", "unasked", "nothing"}},
  }};
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.bearings.size(); ++column) {
      Record record = example_pass("onnx-tile-13 f32[2] x i64{2}", {});
      record.judged.verdict = row.verdict;
      record.judged.vacuous = row.vacuous;
      record.judged.charged = column < 2 ? "CT-BITS" : "CT-PLACE";
      const auto bearing = bearing_of(record, "CT-BITS", column % 2 == 0, row.without_elements);
      EXPECT_STREQ(word_for(bearing), row.bearings[column])
          << name(row.verdict) << (row.vacuous ? ", vacuous" : "")
          << (row.without_elements ? ", without elements" : "") << ", column " << column;
    }
  }
}

// The kind of fault decides nothing: a failure leaves all in doubt that its case exercises.
TEST(ClauseState, NoFaultIsRightSoFar) {
  for (int fault = 0; fault <= static_cast<int>(Fault::failed); ++fault) {
    Record record = example_failure("onnx-tile-13 f32[2,3,4,5] x i64{7,6,4,2}", {"ONNX-T13-S1"});
    record.amendments.back().fault = static_cast<Fault>(fault);
    EXPECT_EQ(bearing_of(record, "ONNX-T13-E1", true, true), &ClauseTally::failed) << fault;
  }
}

TEST(ClauseState, FollowsFromTheBearingsOfAllRecords) {
  const Clause testable = [] {
    Clause clause;
    clause.testable = true;
    return clause;
  }();
  Clause untestable;
  untestable.testable = false;
  untestable.untestable_because = "nothing to run";
  Clause defective = untestable;
  defective.untestable_because = "defective text";
  // Which of violated, waived, proven, failed, accepted, unasked are there, as bits from the highest on.
  for (int bits = 0; bits < 64; ++bits) {
    const auto has = [bits](int place) { return (bits >> place) & 1; };
    ClauseTally tally;
    int place = 0;
    for (const auto count : {&ClauseTally::unasked, &ClauseTally::accepted, &ClauseTally::failed,
                             &ClauseTally::proven, &ClauseTally::waived, &ClauseTally::violated})
      tally.*count = has(place++);
    for (const bool lacks_records : {false, true}) {
      const char* wanted = "not exercised";
      if (bits >= 32)
        wanted = "violated";
      else if (bits >= 16)
        wanted = "waived";
      else if (bits >= 8)
        wanted = lacks_records || bits % 2 == 1 ? "so far" : "proven";
      else if (bits >= 4)
        wanted = "in doubt";
      else if (bits >= 2)
        wanted = "waived";
      const auto words = [&](const Clause& clause) {
        return state_words[static_cast<std::size_t>(state_of(clause, tally, lacks_records))];
      };
      EXPECT_STREQ(words(testable), wanted) << bits << lacks_records;
      EXPECT_STREQ(words(untestable), bits < 8 ? "not testable" : wanted) << bits << lacks_records;
      EXPECT_STREQ(words(defective), bits < 8 ? "defective" : wanted) << bits << lacks_records;
    }
  }
}

}  // namespace
}  // namespace certile::conformance
