#include "conformance/ask/asker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/ask/observe.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/second/tile_by_copies.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

constexpr int long_enough = 60'000;
const std::string its_next_case = "onnx-tile-13 f32[3] x i64{2}";
// The call that the wrong workers get wrong, and one that they get right.
const std::string bad_call = "openvino-tile-1 u8[7] x i64{2}", good_call = "openvino-tile-1 u8[3] x i64{2}";

// A backend that is asked for plain calls.
class AskedPlainly {
 public:
  explicit AskedPlainly(const std::string& spelling) : asker_(*open_asker(isolate_options(spelling))) {}

  Result<Timing> time(const std::string& literal, const PlainCalls& plain, int limit = long_enough) {
    return asker_->time(request_for(literal, plain), limit);
  }
  Result<std::vector<std::byte>> part(const std::string& literal, const PlainCalls& plain = {},
                                      int limit = long_enough) {
    return asker_->part_of_output(request_for(literal, plain), limit);
  }

 private:
  static Request request_for(const std::string& literal, const PlainCalls& plain) {
    const Case question = *parse_case(literal);
    Request request = plain_request(question, *oracle::output_shape(question));
    request.plain = plain;
    return request;
  }

  std::unique_ptr<Asker> asker_;
};

std::string wrong_worker(const std::string& way) {
  return "worker:'" CERTILE_PYTHON "' '" CERTILE_WORKERS "/test_workers/wrong.py' " + way;
}

bool is_right(const std::vector<std::byte>& output, const std::string& literal) {
  const Case question = *parse_case(literal);
  return std::ranges::equal(output, second::tile_by_copies(question, data_of(question))->bytes());
}

// Returns the error in words, with its code in front.
template <class Value>
std::string error_of(const Result<Value>& result) {
  if (result) return "it succeeded";
  const std::map<Error::Code, std::string> codes{{Error::Code::io, "io: "},
                                                 {Error::Code::backend_failed, "backend_failed: "},
                                                 {Error::Code::rejected, "rejected: "},
                                                 {Error::Code::unsupported, "unsupported: "}};
  return codes.at(result.error().code) + result.error().what;
}

TEST(Asker, TimesALibraryHotAndCold) {
  AskedPlainly asked(example_plugin("libexample"));
  for (const bool cold : {false, true}) {
    const auto took = asked.time(the_case, {.timed = 3, .cold = cold});
    ASSERT_TRUE(took) << took.error().what;
    EXPECT_GT(took->nanoseconds, 0);
  }
  EXPECT_TRUE(asked.time(the_case, {.timed = 3, .again = true}));
}

TEST(Asker, ReturnsALargeOutputInParts) {
  const std::string large = "onnx-tile-13 u8[1] x i64{16777217}";
  AskedPlainly asked("scalar");
  auto output = asked.part(large);
  ASSERT_TRUE(output);
  ASSERT_EQ(output->size(), 16777216U);
  const auto rest = asked.part(large, {.again = true, .begin = output->size()});
  ASSERT_TRUE(rest);
  output->insert(output->end(), rest->begin(), rest->end());
  EXPECT_TRUE(is_right(*output, large));
}

TEST(Asker, NamesTheEndOfAProcessAndGivesTheNextRequestAnother) {
  AskedPlainly asked(test_plugin("crash_on_one_case"));
  EXPECT_EQ(error_of(asked.time(the_case, {.timed = 3})), "backend_failed: crashed with signal 6 (SIGABRT)");
  EXPECT_EQ(error_of(asked.time(the_case, {.timed = 3, .again = true})),
            "backend_failed: its process has no operands");
  const auto output = asked.part(its_next_case);
  EXPECT_TRUE(output && is_right(*output, its_next_case));
}

TEST(Asker, GivesUpOnATimedCallThatDoesNotEnd) {
  AskedPlainly asked(test_plugin("hang"));
  EXPECT_EQ(error_of(asked.time(the_case, {.timed = 3}, limit_of_hangs)),
            "io: gave no answer within 2000 ms");
  EXPECT_TRUE(asked.time(its_next_case, {.timed = 3}));
}

TEST(Asker, PassesOnARefusal) {
  EXPECT_EQ(error_of(AskedPlainly(wrong_worker("rejects")).part(bad_call)), "rejected: I do not like seven");
}

TEST(Asker, TimesAWorkerByItsOwnClockWithoutTheFirstCall) {
  AskedPlainly asked(wrong_worker("not_at_all"));
  const auto took = asked.time(good_call, {.timed = 2});
  ASSERT_TRUE(took) << took.error().what;
  EXPECT_EQ(took->nanoseconds, 1001 + 1002);
  EXPECT_EQ(asked.time(good_call, {.timed = 1, .again = true})->nanoseconds, 1001);
}

TEST(Asker, SaysThatAWorkerDoesNotTimeItself) {
  AskedPlainly asked(wrong_worker("does_not_time"));
  EXPECT_EQ(error_of(asked.time(good_call, {.timed = 2})), "unsupported: it has no clock");
}

TEST(Asker, SaysThatAWorkerIsNotTimedCold) {
  AskedPlainly asked(wrong_worker("not_at_all"));
  EXPECT_EQ(error_of(asked.time(good_call, {.timed = 2, .cold = true})),
            "unsupported: a worker times its calls hot");
}

TEST(Asker, TakesNoTimesThatAreNone) {
  EXPECT_NE(error_of(AskedPlainly(wrong_worker("times_negative")).time(good_call, {.timed = 2}))
                .find("nanoseconds holds a negative number"),
            std::string::npos);
  EXPECT_NE(error_of(AskedPlainly(wrong_worker("times_too_few")).time(good_call, {.timed = 2}))
                .find("of nanoseconds, the output is i64[2], expected i64[3]"),
            std::string::npos);
}

TEST(Asker, ReturnsTheOutputOfAWorker) {
  for (const char* way : {"not_at_all", "no_infer", "batches"}) {
    AskedPlainly asked(wrong_worker(way));
    const auto output = asked.part(good_call);
    ASSERT_TRUE(output) << output.error().what;
    EXPECT_TRUE(is_right(*output, good_call)) << way;
  }
}

TEST(Asker, NamesTheEndOfAWorkerThatIsTimed) {
  AskedPlainly asked(wrong_worker("exits"));
  EXPECT_EQ(error_of(asked.time(bad_call, {.timed = 2})),
            "backend_failed: ended its process with exit code 3");
  EXPECT_EQ(error_of(asked.part(bad_call)), "backend_failed: ended its process with exit code 3");
  EXPECT_TRUE(asked.time(good_call, {.timed = 2}));
}

TEST(Asker, GivesUpOnAWorkerThatIsLate) {
  AskedPlainly asked(wrong_worker("hangs"));
  EXPECT_EQ(error_of(asked.time(bad_call, {.timed = 2}, limit_of_hangs)),
            "io: gave no answer within 2000 ms");
  EXPECT_TRUE(asked.time(good_call, {.timed = 2}));
}

TEST(Asker, SaysWhatAWorkerGaveInsteadOfTheOutput) {
  EXPECT_EQ(error_of(AskedPlainly(wrong_worker("another_shape")).part(bad_call)),
            "backend_failed: the output is u8[1], expected u8[14]");
}

}  // namespace
}  // namespace certile::conformance
