#include "conformance/run/retry_budget.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

namespace certile::conformance {
namespace {

Judged failing(std::string_view violated, Fault fault) {
  static const PlannedCase planned = *parse_planned_case("onnx-tile-13 u8[3] x i64{2}");
  Judged judged;
  judged.planned = &planned;
  judged.question = planned.question();
  judged.record.judged.verdict = Verdict::fail;
  judged.record.judged.charged = violated;
  judged.record.judged.fault = fault;
  return judged;
}

Plainness of_elements(std::int64_t elements) {
  Plainness plainness;
  plainness.elements = elements;
  return plainness;
}

// Returns the number of `failures` equally plain failures that may be asked again.
int asked_again(RetryBudget& retries, std::string_view violated, Fault fault, int failures) {
  const Plainness plainness = of_elements(8);
  int asked = 0;
  for (int index = 0; index < failures; ++index)
    asked += retries.may_ask_again(failing(violated, fault), plainness) ? 1 : 0;
  return asked;
}

TEST(RetryBudget, LetsTheFirstFailuresOfAClauseBeAskedAgain) {
  RetryBudget retries;
  EXPECT_EQ(asked_again(retries, "ONNX-T13-O2", Fault::shape, 10'000), RetryBudget::in_process.per_kind);
  RetryBudget of_worker(RetryBudget::of_worker);
  EXPECT_EQ(asked_again(of_worker, "ONNX-T13-O2", Fault::shape, 10'000), RetryBudget::of_worker.per_kind);
}

TEST(RetryBudget, TakesAnotherFaultOfTheSameClauseForAnotherKind) {
  RetryBudget retries(RetryBudget::of_worker);
  asked_again(retries, "ONNX-T13-S1", Fault::failed, 100);
  EXPECT_EQ(asked_again(retries, "ONNX-T13-S1", Fault::refused, 100), RetryBudget::of_worker.per_kind);
}

TEST(RetryBudget, LetsASmallerFailureBeAskedAgain) {
  RetryBudget retries(RetryBudget::of_worker);
  asked_again(retries, "ONNX-T13-O2", Fault::shape, 100);
  EXPECT_TRUE(retries.may_ask_again(failing("ONNX-T13-O2", Fault::shape), of_elements(7)));
  EXPECT_FALSE(retries.may_ask_again(failing("ONNX-T13-O2", Fault::shape), of_elements(7)));
}

// The limits matter for a worker that fails every case, because each case asked again starts a new process.
TEST(RetryBudget, BoundsWhatAWorkerIsAskedAgainInAll) {
  RetryBudget retries(RetryBudget::of_worker);
  constexpr int clauses = 50;
  int all = 0;
  for (int clause = 0; clause < clauses; ++clause) {
    const int asked = asked_again(retries, "CLAUSE-" + std::to_string(clause), Fault::failed, 1'000);
    EXPECT_GE(asked, 1);
    all += asked;
  }
  EXPECT_LE(all, RetryBudget::of_worker.in_all + clauses);
}

TEST(RetryBudget, BoundsWhatAWorkerIsAskedAgainWhereItsAnswersChange) {
  RetryBudget retries(RetryBudget::of_worker);
  EXPECT_EQ(asked_again(retries, "CT-STEADY", Fault::unsteady, 10'000), RetryBudget::of_worker.of_stateful);
}

using std::chrono::milliseconds;

TEST(RetryBudget, LetsAllCasesWaitOnceCrashesHaveTakenTheTimeThatThereIs) {
  RetryBudget retries;
  retries.note_cost(100, milliseconds(4'999), milliseconds(5'000));
  EXPECT_FALSE(retries.all_should_wait());
  retries.note_cost(1, milliseconds(1), milliseconds(5'000));
  EXPECT_TRUE(retries.all_should_wait());
  EXPECT_TRUE(retries.should_wait(*parse_planned_case("onnx-tile-13 u8[3] x i64{2}")));
}

TEST(RetryBudget, LetsNoCasesWaitForAFewCrashes) {
  RetryBudget retries;
  retries.note_cost(RetryBudget::few_troubles, milliseconds(60'000), milliseconds(5'000));
  EXPECT_FALSE(retries.all_should_wait());
}

TEST(RetryBudget, LetsAllCasesWaitOnceSlowAnswersHaveTakenTheTimeThatThereIs) {
  RetryBudget retries;
  retries.note_slow(milliseconds(4'000), milliseconds(5'000));
  EXPECT_FALSE(retries.all_should_wait());
  retries.note_slow(milliseconds(1'000), milliseconds(5'000));
  EXPECT_TRUE(retries.all_should_wait());
}

TEST(RetryBudget, LetsLaterPiecesWaitForWhatEarlierOnesTookTogether) {
  RetryBudget retries, piece;
  piece.note_cost(6, milliseconds(3'000), milliseconds(5'000));
  retries.add(piece, milliseconds(5'000));
  EXPECT_FALSE(retries.all_should_wait());
  retries.add(piece, milliseconds(5'000));
  EXPECT_TRUE(retries.all_should_wait());
  EXPECT_FALSE(piece.all_should_wait());
}

TEST(RetryBudget, LetsFewOfTheCallsThatTookSoLongBeAskedAgain) {
  RetryBudget retries;
  retries.note_cost(100, milliseconds(60'000), milliseconds(5'000));
  Judged without_memory = failing("ONNX-T13-S1", Fault::memory);
  without_memory.seen.outcome = Failed{true, "no memory is left"};
  int asked = 0;
  for (int index = 0; index < 1'000; ++index)
    asked += retries.may_ask_again(without_memory, of_elements(8)) ? 1 : 0;
  EXPECT_EQ(asked, RetryBudget::confirmed_costly);
  EXPECT_EQ(asked_again(retries, "ONNX-T13-O2", Fault::shape, 1'000), RetryBudget::in_process.per_kind);
}

}  // namespace
}  // namespace certile::conformance
