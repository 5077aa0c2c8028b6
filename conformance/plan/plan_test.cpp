#include "conformance/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/exercised.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/plan/plans_test.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/text/digest.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

Claim narrow_claim() {
  Claim claim = claim_of_everything();
  claim.definitions = {onnx_tile_13};
  claim.types = {ElementType::u8};
  claim.repeats_types = {ElementType::i64};
  return claim;
}

// Returns a plan that is made once, because several tests read it.
const Plan& core_plan() {
  static const Plan plan = plan_of(claim_of_everything(), tier(Tier::core));
  return plan;
}

// Returns those of the clauses that no case of the plan exercises; reads no more of the plan than that takes.
std::set<std::string> not_exercised(std::set<std::string> wanted, const Plan& plan) {
  for (const PlannedCase& planned : plan.cases) {
    if (wanted.empty()) break;
    const Case question = planned.question();
    const auto expected = expect_shape(question);
    if (!expected) {
      ADD_FAILURE() << planned.literal << ": " << expected.error().what;
      continue;
    }
    for (const std::string_view id : exercised_clauses(question, *expected, planned.cites))
      wanted.erase(std::string(id));
  }
  return wanted;
}

// Returns the testable clauses of these definitions and of the contract, except the two that single cases do
// not show; a plan must exercise all of them.
std::set<std::string> testable_clauses(const std::vector<DefinitionId>& definitions) {
  std::vector<const Page*> pages{&contract_page()};
  for (const DefinitionId definition : definitions)
    pages.push_back(&page_of(definition));
  std::set<std::string> ids;
  for (const Page* page : pages)
    for (const Clause& clause : page->clauses)
      if (clause.testable && clause.id != "CT-INFER" && clause.id != "CT-SELF") ids.insert(clause.id);
  return ids;
}

std::vector<Case> cases_of(const Plan& plan) {
  std::vector<Case> cases;
  for (const PlannedCase& planned : plan.cases)
    cases.push_back(planned.question());
  return cases;
}

// Returns the bytes of the answer to a case; 0 if there are none to compute.
double answer_bytes(const Case& question) {
  if (question.placement.shape_only) return 0;
  const auto shape = oracle::output_shape(question);
  return shape ? static_cast<double>(*element_count(*shape)) * bits(question.data.type()) / 8 : 0;
}

// Returns the bytes of the data as NumPy counts them for an array: as if empty dimensions were 1.
double bytes_for_numpy(const Case& question) {
  double bytes = bits(question.data.type()) / 8.0;
  for (const std::int64_t dimension : question.data.shape())
    bytes *= static_cast<double>(std::max<std::int64_t>(dimension, 1));
  return bytes;
}

TEST(Plan, OfTheCoreTierHasNoLiteralTwice) {
  std::unordered_set<std::string_view> seen;
  for (const PlannedCase& planned : core_plan().cases)
    EXPECT_TRUE(seen.insert(planned.literal).second) << planned.literal;
}

// No claim has a word for the limit of NumPy's arrays.  One pass over the plan, because reading takes time.
TEST(Plan, OfTheCoreTierHasCanonicalLiteralsOfBoundedSizeThatTheOraclesAgreeOn) {
  EXPECT_GE(core_plan().cases.size(), 150'000U);
  EXPECT_LE(core_plan().cases.size(), 412'000U);
  double total = 0;
  for (const PlannedCase& planned : core_plan().cases) {
    const auto question = parse_case(planned.literal);
    ASSERT_TRUE(question) << planned.literal << ": " << question.error().what;
    EXPECT_EQ(to_string(*question), planned.literal);
    const auto expected = expect_shape(*question);
    EXPECT_TRUE(expected) << planned.literal << ": " << expected.error().what;
    const double bytes = answer_bytes(*question);
    EXPECT_LE(bytes, 65 << 20) << planned.literal;
    total += bytes;
    if (!question->placement.shape_only) {
      EXPECT_LT(bytes_for_numpy(*question), 0x1p63) << planned.literal;
    }
  }
  EXPECT_LE(total, 5e9);
}

TEST(Plan, OfTheCoreTierJudgesNoStringForOnnxThatIsNotUtf8) {
  int asked = 0;
  for (const PlannedCase& planned : core_plan().cases) {
    if (planned.literal.find(" string") == std::string::npos) continue;
    const Case question = planned.question();
    if (question.definition == openvino_tile_1 || question.data.type() != ElementType::string) continue;
    if (std::holds_alternative<oracle::Open>(oracle::promote(question))) continue;
    const Tensor data = data_of(question);
    if (data.bytes().empty()) continue;
    ++asked;
    for (std::int64_t index = 0; index < data.count(); ++index)
      ASSERT_TRUE(is_utf8(data.string_element(index))) << to_string(question);
  }
  EXPECT_GT(asked, 100);
}

TEST(Plan, OfTheCoreTierExercisesEveryTestableClause) {
  EXPECT_EQ(not_exercised(testable_clauses(all_definitions()), core_plan()), std::set<std::string>{});
}

TEST(Plan, OfTheSmokeTierExercisesEveryTestableClause) {
  const Plan plan = plan_of(claim_of_everything(), tier(Tier::smoke));
  EXPECT_EQ(not_exercised(testable_clauses(all_definitions()), plan), std::set<std::string>{});
}

TEST(Plan, OfTheSmokeTierExercisesEveryTestableClauseOfANarrowClaim) {
  const Plan plan = plan_of(narrow_claim(), tier(Tier::smoke));
  EXPECT_EQ(not_exercised(testable_clauses({onnx_tile_13}), plan), std::set<std::string>{});
}

TEST(Plan, HasTheOraclesAnswerForASampleOfTheCoreTier) {
  for (std::size_t index = 0; index < core_plan().cases.size(); index += 101) {
    const std::string& literal = core_plan().cases[index].literal;
    const auto expected = expect(*parse_case(literal));
    EXPECT_TRUE(expected) << literal << ": " << expected.error().what;
  }
}

TEST(Plan, StartsEveryTierWithTheSmokeTier) {
  const Plan smoke = plan_of(claim_of_everything(), tier(Tier::smoke));
  ASSERT_LE(smoke.cases.size(), core_plan().cases.size());
  for (std::size_t index = 0; index < smoke.cases.size(); ++index)
    ASSERT_EQ(smoke.cases[index].literal, core_plan().cases[index].literal);
}

TEST(Plan, CitesTheClauseThatACaseIsAnExampleOf) {
  const auto& cases = core_plan().cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [](const PlannedCase& planned) {
    return planned.literal == "openvino-tile-1 f32[2,3] x i64{2,2,2}";
  });
  ASSERT_NE(found, cases.end());
  EXPECT_EQ(found->cites, std::vector<std::string_view>{"OV-T1-R1e"});
}

TEST(Plan, HasTheDigestOfItsLiterals) {
  const Plan plan = plan_of(narrow_claim(), tier(Tier::smoke));
  std::string text;
  for (const PlannedCase& planned : plan.cases)
    text += planned.literal + "\n";
  EXPECT_EQ(plan.digest, sha256_hex(text));
}

TEST(Plan, IsTheSameForTheSameClaimAndOptions) {
  EXPECT_EQ(plan_of(claim_of_everything(), tier(Tier::core)).digest, core_plan().digest);
}

TEST(Plan, DiffersWithTheSeed) {
  PlanOptions options = tier(Tier::core);
  options.seed = 2;
  EXPECT_NE(plan_of(narrow_claim(), options).digest, plan_of(narrow_claim(), tier(Tier::core)).digest);
}

TEST(Plan, HasAsManyRandomCasesAsAskedFor) {
  PlanOptions options = tier(Tier::smoke);
  const std::size_t without = plan_of(narrow_claim(), options).cases.size();
  options.random_cases = 500;
  EXPECT_EQ(plan_of(narrow_claim(), options).cases.size(), without + 500);
}

TEST(Plan, SharesRandomCasesThatDoNotDivideEvenly) {
  PlanOptions options = tier(Tier::smoke);
  const std::size_t without = plan_of(claim_of_everything(), options).cases.size();
  options.random_cases = 3;
  EXPECT_EQ(plan_of(claim_of_everything(), options).cases.size(), without + 3);
}

TEST(Plan, AsksAnOperatorOutsideTheClaimOnce) {
  std::map<DefinitionId, int> counts;
  for (const Case& question : cases_of(plan_of(narrow_claim(), tier(Tier::core))))
    ++counts[question.definition];
  EXPECT_EQ(counts[openvino_tile_1], 1);
  EXPECT_EQ(counts[onnx_tile_6], 1);
  EXPECT_EQ(counts[onnx_tile_1], 1);
  EXPECT_GT(counts[onnx_tile_13], 10'000);
}

TEST(Plan, AsksATypeOutsideTheClaimAFewTimes) {
  std::map<ElementType, int> counts;
  for (const Case& question : cases_of(plan_of(narrow_claim(), tier(Tier::core))))
    if (question.definition == onnx_tile_13) ++counts[question.data.type()];
  for (const ElementType type : all_element_types()) {
    if (type == ElementType::u8) continue;
    EXPECT_GE(counts[type], 1) << name(type);
    EXPECT_LE(counts[type], 4) << name(type);
  }
}

TEST(Plan, GoesBeyondTheClaimedRankAFewTimes) {
  Claim claim = narrow_claim();
  claim.max_rank = 4;
  int beyond = 0;
  for (const Case& question : cases_of(plan_of(claim, tier(Tier::core))))
    if (question.data.shape().size() > 4) ++beyond;
  EXPECT_GE(beyond, 1);
  EXPECT_LE(beyond, 5);
}

TEST(Plan, GoesBeyondTheClaimedElementsAFewTimes) {
  Claim claim = narrow_claim();
  claim.max_elements = 1000;
  int beyond = 0;
  for (const Case& question : cases_of(plan_of(claim, tier(Tier::core)))) {
    const auto shape = oracle::output_shape(question);
    if (shape && *element_count(*shape) > 1000) ++beyond;
  }
  EXPECT_GE(beyond, 1);
  EXPECT_LE(beyond, 5);
}

TEST(Plan, LeavesOutOperatorsThatWereNotAskedFor) {
  PlanOptions options = tier(Tier::smoke);
  options.definitions = {onnx_tile_1};
  for (const Case& question : cases_of(plan_of(claim_of_everything(), options)))
    ASSERT_EQ(question.definition, onnx_tile_1) << to_string(question);
}

TEST(Plan, KeepsTheCasesOfARequirement) {
  PlanOptions options = tier(Tier::smoke);
  options.clauses = {"OV-T1-X5"};
  const Plan plan = plan_of(claim_of_everything(), options);
  EXPECT_TRUE(plan.filtered);
  EXPECT_FALSE(plan.cases.empty());
  EXPECT_EQ(not_exercised({"OV-T1-X5"}, plan), std::set<std::string>{});
  for (const Case& question : cases_of(plan))
    EXPECT_EQ(question.definition, openvino_tile_1) << to_string(question);
}

TEST(Plan, RefusesARequirementThatThereIsNot) {
  PlanOptions options;
  options.clauses = {"OV-T1-X99"};
  const auto plan = make_plan(claim_of_everything(), shared_memory, options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Error::Code::unsupported);
  EXPECT_EQ(plan.error().what, "there is no clause OV-T1-X99; the pages in reference/spec list them");
}

TEST(Plan, RefusesAClauseThatNoCaseExercises) {
  PlanOptions options;
  options.clauses = {"OV-T1-X2"};
  const auto plan = make_plan(claim_of_everything(), shared_memory, options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Error::Code::unsupported);
  EXPECT_EQ(plan.error().what,
            "no case exercises the clause OV-T1-X2: spells out OV-T1-G2, which is charged");
}

TEST(Plan, OfLiteralsIsThoseCanonicallyAndNoTier) {
  PlanOptions options;
  options.literals = {"onnx-tile-13 f32[1]{1} x i64[1]{2}", "openvino-tile-1 u8[3] x i64{2}"};
  const Plan plan = plan_of(narrow_claim(), options);
  EXPECT_TRUE(plan.filtered);
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[0].literal, "onnx-tile-13 f32{1} x i64{2}");
  EXPECT_EQ(plan.cases[1].literal, "openvino-tile-1 u8[3] x i64{2}");
}

TEST(Plan, OfAMalformedLiteralIsItsError) {
  PlanOptions options;
  options.literals = {"onnx-tile-13 f32 x i64{2}"};
  const auto plan = make_plan(narrow_claim(), shared_memory, options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Error::Code::bad_literal);
}

TEST(Plan, OfACorpusIsItsCasesForTheOperatorsAskedFor) {
  const std::string path = temporary_path(".tile");
  std::ofstream(path) << "onnx-tile-13 f32[2] x i64{2}\nopenvino-tile-1 f32[2] x i64{3} # three\n";
  PlanOptions options;
  options.corpora = {path};
  options.definitions = {openvino_tile_1};
  const Plan plan = plan_of(narrow_claim(), options);
  ASSERT_EQ(plan.cases.size(), 1U);
  EXPECT_EQ(plan.cases[0].literal, "openvino-tile-1 f32[2] x i64{3}");
  EXPECT_TRUE(plan.filtered);
}

TEST(Plan, NamesTheCorporaThatItWasMadeOf) {
  const std::string path = temporary_path(".tile");
  std::ofstream(path) << "openvino-tile-1 f32[2] x i64{2}\n";
  PlanOptions options;
  options.corpora = {path};
  EXPECT_EQ(make_plan(narrow_claim(), shared_memory, options)->corpora,
            (std::vector<Plan::Corpus>{{path, sha256_hex("openvino-tile-1 f32[2] x i64{2}\n")}}));
  options = {};
  options.literals = {"openvino-tile-1 f32[2] x i64{2}"};
  EXPECT_TRUE(make_plan(narrow_claim(), shared_memory, options)->corpora.empty());
  options = {};
  options.tier = Tier::smoke;
  const auto corpora = make_plan(narrow_claim(), shared_memory, options)->corpora;
  ASSERT_EQ(corpora.size(), 1U);
  EXPECT_EQ(corpora.front().name, "conformance/plan/corpora/smoke.tile");
}

TEST(Plan, IsNotMadeToItsEndOnceItIsInterrupted) {
  const std::atomic<bool> interrupted{true};
  PlanOptions options;
  options.interrupted = &interrupted;
  const auto plan = make_plan(narrow_claim(), shared_memory, options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().what, "the plan was not made to its end: interrupted");
}

TEST(Tier, IsFoundByItsName) {
  for (const Tier each : {Tier::smoke, Tier::core, Tier::full, Tier::large})
    EXPECT_EQ(tier_named(name(each)), each);
  EXPECT_EQ(tier_named("nightly"), std::nullopt);
}

// A library fills the caller's output, so it is never given one that is too large.
TEST(PlanOfATier, AsksForAnAnswerBeyondMemoryWhereAnOutputComesBack) {
  const auto has_one = [](Transport transport) {
    PlanOptions options;
    options.tier = Tier::smoke;
    options.definitions = {onnx_tile_13};
    const auto plan = make_plan(claim_of_everything(), transport, options);
    return std::ranges::any_of(plan->cases,
                               [](const PlannedCase& each) { return is_beyond_memory(each.question()); });
  };
  EXPECT_TRUE(has_one(message_pipe));
  EXPECT_FALSE(has_one(shared_memory));
}

}  // namespace
}  // namespace certile::conformance
