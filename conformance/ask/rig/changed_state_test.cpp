// Tests backends that change their process: once, as a runtime that starts late does, or in every call.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/runs_test.hpp"
#include "conformance/testing/asked_backend_test.hpp"

namespace certile::conformance {
namespace {

// A handler of a signal that had none may be set up once, the locale may not.
constexpr std::string_view locale_alone = "the locale";

std::vector<std::string> small_cases(std::size_t count) {
  std::vector<std::string> literals;
  for (std::size_t index = 0; index < count; ++index)
    literals.push_back("onnx-tile-13 u16[" + std::to_string(index % 37 + 1) + "] x i64{3}");
  return literals;
}

TEST(ChangedState, CostsAFewProcessesAndNoMore) {
  AskedBackend asker(test_plugin("sets_up_once"));
  const auto literals = small_cases(700);
  const auto answers = asker.ask(literals);
  std::size_t changed = 0;
  for (std::size_t index = 0; index < answers.size(); ++index) {
    EXPECT_TRUE(answers[index].reply) << index;
    if (!answers[index].reply || answers[index].reply->changed_state.empty()) continue;
    EXPECT_EQ(answers[index].reply->changed_state, locale_alone);
    EXPECT_EQ(index, changed) << "the first calls of the first processes";
    ++changed;
  }
  EXPECT_EQ(changed, 11U) << "ten processes are given up, and one goes on";
  EXPECT_TRUE(AskedBackend::is_right(answers.back(), literals.back()));
}

TEST(ChangedState, IsNotMetByTheNextCall) {
  AskedBackend asker(test_plugin("sets_up_once"));
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(asker.ask("onnx-tile-13 u8[3] x i64{2}").reply->changed_state, locale_alone) << round;
}

TEST(ChangedState, IsToldApartByWhetherTheSecondCallChangesItToo) {
  AskedBackend once(test_plugin("sets_up_once"));
  EXPECT_TRUE(once.ask("onnx-tile-13 u8[3] x i64{2}").only_first_changed);
  AskedBackend always(test_plugin("sets_up_always"));
  EXPECT_FALSE(always.ask("onnx-tile-13 u8[3] x i64{2}").only_first_changed);
}

TEST(ChangedState, OfTheThreadThatOpensALibraryIsReportedOnce) {
  AskedBackend asker(test_plugin("rounds_when_opened"));
  const auto answers = asker.ask(small_cases(300));
  for (std::size_t index = 0; index < answers.size(); ++index) {
    ASSERT_TRUE(answers[index].reply) << index;
    EXPECT_EQ(answers[index].reply->changed_state,
              index == 0 ? "the floating-point modes, when it was loaded or opened" : "")
        << index;
  }
  const auto records = records_of(test_plugin("rounds_when_opened"), small_cases(3));
  EXPECT_EQ(records[0].now().charged, "CT-STATE") << records[0].now().words;
  EXPECT_EQ(records[1].now().verdict, Verdict::pass);
}

TEST(ChangedState, IsExplained) {
  const std::string literal = "onnx-tile-13 u8[3] x i64{2}";
  const auto once = records_of(test_plugin("sets_up_once"), {literal});
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once[0].now().charged, "CT-STATE");
  EXPECT_EQ(once[0].now().words, "left changed: the locale; only the first call of a process changes it");
  const auto always = records_of(test_plugin("sets_up_always"), {literal});
  ASSERT_EQ(always.size(), 1U);
  EXPECT_EQ(always[0].now().words, "left changed: the locale");
}

}  // namespace
}  // namespace certile::conformance
