#include "bench/run/count_calls.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "backends/builtin/builtin.hpp"
#include "backends/kernel/tile_bytes.hpp"
#include "backends/plugin/status.hpp"

namespace certile::bench {
namespace {

TEST(CountCommand, PrintsALineForEachBackendAndCase) {
  if (!count_instructions([] {})) GTEST_SKIP() << "no process may be traced here";
  std::ostringstream out, error;
  EXPECT_EQ(count_command({"scalar", "memset"}, {"onnx-tile-13 f32[2] x i64{3}"}, out, error), 0);
  std::istringstream lines(out.str());
  std::string backend, rest;
  std::int64_t count = 0;
  lines >> backend >> count;
  std::getline(lines, rest);
  EXPECT_EQ(backend + rest, "scalar onnx-tile-13 f32[2] x i64{3}");
  EXPECT_GT(count, 20);
  lines >> backend >> count;
  std::getline(lines, rest);
  EXPECT_EQ(backend + rest, "memset onnx-tile-13 f32[2] x i64{3}");
  EXPECT_GT(count, 0);
  EXPECT_LT(count, 500);
}

TEST(CountCommand, CountsTheRulesApartFromTheMoves) {
  if (!count_instructions([] {})) GTEST_SKIP() << "no process may be traced here";
  std::ostringstream out, error;
  EXPECT_EQ(count_command({"rules", "scalar"}, {"onnx-tile-13 f32[2,3,4] x i64{1,2,3}"}, out, error), 0);
  std::istringstream lines(out.str());
  std::string backend, rest;
  std::int64_t rules = 0, whole = 0;
  lines >> backend >> rules;
  EXPECT_EQ(backend, "rules");
  std::getline(lines, rest);
  lines >> backend >> whole;
  EXPECT_GT(rules, 20);
  EXPECT_LT(rules, whole);
}

TEST(CountCommand, SaysWhatItCannotCount) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command({"nobody"}, {"onnx-tile-13 f32[2] x i64{2}"}, out, error), 2);
  EXPECT_EQ(count_command({"scalar"}, {"onnx-tile-13 f32[2]"}, out, error), 2);
  EXPECT_EQ(count_command({"scalar"}, {"onnx-tile-13 f32[2] x i64{-1}"}, out, error), 2);
}

TEST(Instructions, AreThoseOfTheBody) {
#if defined(__x86_64__)
  const auto nothing = count_instructions([] { asm volatile(""); });
  if (!nothing) GTEST_SKIP() << nothing.error().what;
  const auto more = count_instructions([] { asm volatile("nop; nop; nop; nop; nop"); });
  ASSERT_TRUE(more);
  EXPECT_EQ(*more - *nothing, 5);
  char bytes[1000];
  const auto string = count_instructions([&bytes] {
    void* to = bytes;
    std::size_t count = sizeof bytes;
    asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(1) : "memory");
  });
  ASSERT_TRUE(string);
  EXPECT_LT(*string - *nothing, 12) << "a string instruction counts once";
#endif
}

// Returns why the counts of this build say nothing about the product; nothing if they do.
std::optional<std::string> why_not_gated() {
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    !defined(__x86_64__)
  return "only optimised code for x86-64 is counted";
#else
  if (const auto nothing = count_instructions([] {}); !nothing) return nothing.error().what;
  return std::nullopt;
#endif
}

// Returns what `certile-bench count simd` prints for the case.
std::int64_t counted(const std::string& literal) {
  std::ostringstream out, error;
  EXPECT_EQ(count_command({"simd"}, {literal}, out, error), 0) << error.str();
  std::istringstream line(out.str());
  std::string backend;
  std::int64_t count = 0;
  line >> backend >> count;
  return count;
}

TEST(InstructionsOfTinyCalls, AreFewWithAvx512Vbmi) {
  if (const auto why = why_not_gated()) GTEST_SKIP() << *why;
  const kernel::ByteKernel* const best = kernel::best_byte_kernel();
  if (best == nullptr || std::string(best->name) != "simd-avx512-vbmi")
    GTEST_SKIP() << "another kernel is best";
  const struct {
    const char* literal;
    std::int64_t most;
  } gates[] = {{"onnx-tile-13 f32[2,3,4] x i64{1,2,3}", 500},
               {"onnx-tile-13 f32[1] x i64{2}", 220},
               {"onnx-tile-13 f32[4,8] x i64{2,2}", 520},
               {"onnx-tile-13 i64[1,16] x i64{8,1}", 391},
               {"onnx-tile-13 u8[1,2,1,3,1,2,1,3] x i64{2,1,2,1,3,1,2,1}", 700}};
  for (const auto& gate : gates) {
    EXPECT_LE(counted(gate.literal), gate.most) << gate.literal;
    EXPECT_GT(counted(gate.literal), 100) << gate.literal;
  }
}

// Does nothing, so that a call of this is the caller's part of every call.
std::int32_t return_at_once(void*, const certile_call*, certile_tensor*, certile_text*) {
  return CERTILE_OK;
}

TEST(InstructionsOfTinyCalls, AreFewForTheRulesAlone) {
  if (const auto why = why_not_gated()) GTEST_SKIP() << *why;
  certile_plugin rules{};
  ASSERT_EQ(backends::fill_table(rules, {"rules", "1", true,
                                         [](const void*, const backends::TilePlan&, const certile_tensor&,
                                            const certile_tensor&) {}}),
            CERTILE_OK);
  for (const char* definition : {"onnx-tile-13", "openvino-tile-1"}) {
    const Case question = *parse_case(std::string(definition) + " f32[2,3,4] x i64{1,2,3}");
    const backends::PluginCall call(question, question.data);
    const Shape shape{2, 6, 12};
    certile_tensor out = backends::c_tensor(TensorView{question.data.type(), shape, {}});
    certile_text why{};
    const auto count = [&](decltype(rules.run) run) {
      return count_instructions(
          [&] { static_cast<void>(run(rules.self, &static_cast<const certile_call&>(call), &out, &why)); });
    };
    const auto ruled = count(rules.run), called = count(return_at_once);
    ASSERT_TRUE(ruled && called);
    EXPECT_LE(*ruled - *called, 170) << definition;
    EXPECT_GT(*ruled - *called, 50) << definition;
  }
  rules.destroy(rules.self);
}

}  // namespace
}  // namespace certile::bench
