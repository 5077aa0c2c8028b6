// Tests that a session which abandons cases never takes the answer to one case for that to another.
#include "conformance/run/session.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

// A session with a plugin whose calls take more than half a second.  Once told so, the session
// abandons what is under way, once.
class Abandoning : public testing::Test {
 protected:
  Abandoning() {
    IsolateOptions options = isolate_options(test_plugin("slow"));
    options.stop = [this] { return std::exchange(abandons_, false); };
    session_.emplace(*Session::open(options));
    session_->listen([this](const Judged& judged) { records_.push_back(judged.record); });
  }

  // Asks the cases, of which the first is answered and the second is the first to be abandoned.
  void ask_and_abandon(const Plan& plan) {
    ASSERT_TRUE(session_->ask(plan.cases[0]));
    ASSERT_TRUE(session_->finish());
    ASSERT_EQ(records_.size(), 1U);
    abandons_ = true;
    for (std::size_t index = 1; index < plan.cases.size(); ++index)
      ASSERT_TRUE(session_->ask(plan.cases[index]));
    ASSERT_TRUE(session_->finish());
    ASSERT_FALSE(abandons_);
  }

  // Expects that all but the first case were abandoned, and that a fresh process answers them right.
  void expect_the_rest_to_be_answered_later(const Plan& plan) {
    EXPECT_EQ(records_.size(), 1U) << records_.back().literal << " was judged by the answer to another case";
    const std::vector<const PlannedCase*> rest = session_->take_unanswered();
    ASSERT_EQ(rest.size(), plan.cases.size() - 1);
    ASSERT_TRUE(session_->fresh());
    for (const PlannedCase* planned : rest)
      ASSERT_TRUE(session_->ask(*planned));
    ASSERT_TRUE(session_->finish());
    ASSERT_EQ(records_.size(), plan.cases.size());
    for (std::size_t index = 0; index < plan.cases.size(); ++index) {
      EXPECT_EQ(records_[index].literal, plan.cases[index].literal);
      EXPECT_EQ(records_[index].now().verdict, Verdict::pass) << records_[index].now().words;
    }
  }

  bool abandons_ = false;
  std::vector<Record> records_;
  std::optional<Session> session_;
};

TEST_F(Abandoning, IncludesConcurrentCallsWhichComeFirstInAProcess) {
  const Plan plan = plan_of({"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[1,3,2] x i64{2,0,3}",
                             "onnx-tile-13 u8[4] x i64{3} @threads=4"});
  ask_and_abandon(plan);
  expect_the_rest_to_be_answered_later(plan);
}

TEST_F(Abandoning, IncludesACaseThatNeedsMoreMemory) {
  const Plan plan = plan_of({"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[1,3,2] x i64{2,0,3}",
                             "onnx-tile-13 u8[20000000] x i64{1}"});
  ask_and_abandon(plan);
  expect_the_rest_to_be_answered_later(plan);
}

}  // namespace
}  // namespace certile::conformance
