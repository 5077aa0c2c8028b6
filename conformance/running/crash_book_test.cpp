#include "conformance/running/crash_book.hpp"

#include <gtest/gtest.h>

#include <string>

namespace certile {
namespace {

Judged failing(const std::string& violated, Fault fault) {
  Judged judged;
  judged.record.verdict = Verdict::fail;
  judged.record.violated = violated;
  judged.record.fault = fault;
  return judged;
}

// How many of so many equally large failures may be asked again.
int asked_again(CrashBook& book, const std::string& violated, Fault fault, int failures) {
  constexpr std::int64_t elements = 8;
  int asked = 0;
  for (int index = 0; index < failures; ++index)
    asked += book.may_ask_again(failing(violated, fault), elements) ? 1 : 0;
  return asked;
}

TEST(CrashBook, LetsTheFirstFailuresOfAClauseBeAskedAgain) {
  CrashBook book;
  EXPECT_EQ(asked_again(book, "ONNX-T13-O2", Fault::shape, 10'000), CrashBook::in_process.per_kind);
  CrashBook of_worker(CrashBook::of_worker);
  EXPECT_EQ(asked_again(of_worker, "ONNX-T13-O2", Fault::shape, 10'000), CrashBook::of_worker.per_kind);
}

TEST(CrashBook, TakesAnotherFaultOfTheSameClauseForAnotherKind) {
  CrashBook book(CrashBook::of_worker);
  asked_again(book, "ONNX-T13-S1", Fault::failed, 100);
  EXPECT_EQ(asked_again(book, "ONNX-T13-S1", Fault::refused, 100), CrashBook::of_worker.per_kind);
}

TEST(CrashBook, LetsASmallerFailureBeAskedAgain) {
  CrashBook book(CrashBook::of_worker);
  asked_again(book, "ONNX-T13-O2", Fault::shape, 100);
  EXPECT_TRUE(book.may_ask_again(failing("ONNX-T13-O2", Fault::shape), 7));
  EXPECT_FALSE(book.may_ask_again(failing("ONNX-T13-O2", Fault::shape), 7));
}

// A worker that fails everything: each question asked again starts it anew.
TEST(CrashBook, BoundsWhatAWorkerIsAskedAgainInAll) {
  CrashBook book(CrashBook::of_worker);
  constexpr int clauses = 50;
  int all = 0;
  for (int clause = 0; clause < clauses; ++clause) {
    const int asked = asked_again(book, "CLAUSE-" + std::to_string(clause), Fault::failed, 1'000);
    EXPECT_GE(asked, 1);
    all += asked;
  }
  EXPECT_LE(all, CrashBook::of_worker.in_all + clauses);
}

TEST(CrashBook, BoundsWhatAWorkerIsAskedAgainWhereItsAnswersChange) {
  CrashBook book(CrashBook::of_worker);
  EXPECT_EQ(asked_again(book, "CT-STEADY", Fault::unsteady, 10'000), CrashBook::of_worker.of_stateful);
}

}  // namespace
}  // namespace certile
