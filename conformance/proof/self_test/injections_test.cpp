// One wrong byte, anywhere: read or written outside a buffer, left unwritten, changed in the data.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ostream>
#include <string>

#include "conformance/judge/expectation.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

struct Injection {
  const char* id;
  const char* name;
};
#define INJECTION(id, name, words) Injection{#id, #name},
const Injection injections[] = {
#include "conformance/proof/mutants/injections.inc"
};

// Trials of each injection: ./dev test --full asks for many.
std::size_t wanted_trials() {
  const char* wanted = std::getenv("CERTILE_INJECTIONS");
  return wanted != nullptr ? static_cast<std::size_t>(std::atol(wanted)) : 250;
}

// Returns true if there is a byte to inject, and both its sides are guarded against reading, as in every case
// without a placement.
bool is_a_trial(const Case& question) {
  if (question.data.type() == ElementType::string || question.placement != Placement{}) return false;
  const auto expected = expect(question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  return answer != nullptr && !answer->tensors.empty() && element_count(answer->shape).value_or(0) > 0;
}

// Returns random cases of every definition and type.
Plan trials_for(const Claim& claim) {
  PlanOptions options;
  options.tier = Tier::smoke;
  options.random_cases = static_cast<std::int64_t>(8 * wanted_trials());
  Plan plan = *make_plan(claim, shared_memory, options);
  Plan trials;
  // The random cases follow those of the tier.
  for (auto planned = plan.cases.rbegin();
       planned != plan.cases.rend() && trials.cases.size() < wanted_trials(); ++planned)
    if (is_a_trial(planned->question())) trials.cases.push_back(*planned);
  return trials;
}

void PrintTo(const Injection& each, std::ostream* out) {
  *out << each.name;
}

class EachInjection : public testing::TestWithParam<Injection> {};

TEST_P(EachInjection, IsSeenInEveryTrial) {
  if (!has_address_space_limit()) GTEST_SKIP() << "a sanitizer or an emulator sees to memory in its own way";
  RunOptions run;
  run.isolate = isolate_options(CERTILE_MUTANTS "/" + std::string(GetParam().id) + ".so");
  run.tier_time = std::chrono::hours(1);
  run.asks_again = false;  // why it failed does not matter
  auto isolate = open_asker(run.isolate);
  ASSERT_TRUE(isolate) << isolate.error().what;
  const Plan plan = trials_for((*isolate)->claim());
  isolate->reset();
  ASSERT_EQ(plan.cases.size(), wanted_trials());
  std::size_t missed = 0;
  const auto ran = run_plan(plan, run, [&missed](const Record& record) {
    if (record.now().verdict == Verdict::fail) return Result<Done>(Done{});
    if (++missed <= 5) ADD_FAILURE() << name(record.now().verdict) << "  " << record.literal;
    return Result<Done>(Done{});
  });
  ASSERT_TRUE(ran) << ran.error().what;
  EXPECT_EQ(missed, 0U) << "of " << plan.cases.size();
}

INSTANTIATE_TEST_SUITE_P(Injections, EachInjection, testing::ValuesIn(injections),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace certile::conformance
