#include "conformance/proof/self_test/roster.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

TEST(Roster, BindsEveryMutantToATestableClauseForEachOfItsOperators) {
  for (const Mutant& mutant : all_mutants()) {
    EXPECT_FALSE(definitions_of(mutant).empty()) << mutant.id;
    for (const DefinitionId definition : definitions_of(mutant)) {
      const Clause* clause = find_clause(clause_of(mutant, definition));
      ASSERT_NE(clause, nullptr) << mutant.id << ", " << name(definition);
      EXPECT_TRUE(clause->testable) << mutant.id << ", " << clause->id;
    }
  }
}

TEST(Roster, GivesEachIdOnce) {
  std::set<std::string> ids;
  for (const Mutant& mutant : all_mutants())
    EXPECT_TRUE(ids.insert(std::string(mutant.id)).second) << mutant.id;
  for (const Liar& liar : all_liars())
    EXPECT_TRUE(ids.insert(std::string(liar.id)).second) << liar.id;
  for (const OutOfReach& row : out_of_reach())
    EXPECT_TRUE(ids.insert(std::string(row.id)).second) << row.id;
}

// Tests the goals: the core tier has all mutants but one, which needs gigabytes, the shortest 95 of 100.
TEST(Roster, LeavesLittleToLongerTiers) {
  std::size_t smoke = 0, core = 0;
  for (const Mutant& mutant : all_mutants()) {
    smoke += mutant.tier == Tier::smoke ? 1 : 0;
    core += mutant.tier <= Tier::core ? 1 : 0;
  }
  EXPECT_GE(100 * smoke, 95 * core);
  EXPECT_GE(core + 1, all_mutants().size());
}

}  // namespace
}  // namespace certile::conformance
