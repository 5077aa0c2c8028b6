#include "conformance/proof/self_test/roster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "backends/registry/registry.hpp"
#include "conformance/proof/mutants/program_symbols.h"
#include "conformance/proof/self_test/hostile.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/spec/pages.hpp"

// The linker reports a name that no function has.
extern "C" {
void named_output_shape() __asm__(SYMBOL_OF_OUTPUT_SHAPE);
void named_tile() __asm__(SYMBOL_OF_TILE);
void named_open_backend() __asm__(SYMBOL_OF_OPEN_BACKEND);
}

namespace certile::conformance {
namespace {

// Returns the address in a form about which the compiler assumes nothing.
template <class Function>
const void* address_of(Function* function) {
  const void* volatile address = reinterpret_cast<const void*>(function);
  return address;
}

TEST(Roster, IsCountedByTheReadme) {
  std::string readme = file_content(CERTILE_SOURCES "/README.md");
  std::ranges::replace(readme, '\n', ' ');
  const auto expect = [&readme](std::size_t count, const std::string& kind) {
    EXPECT_NE(readme.find(" " + std::to_string(count) + " *" + kind + "*"), std::string::npos)
        << "README.md does not say that there are " << count << ' ' << kind;
  };
  expect(all_mutants().size(), "mutants");
  expect(all_liars().size(), "liars");
  expect(all_odd().size(), "odd");
  expect(all_hostile().size(), "hostile");
}

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
  for (const Odd& odd : all_odd())
    EXPECT_TRUE(ids.insert(std::string(odd.id)).second) << odd.id;
  for (const OutOfReach& row : out_of_reach())
    EXPECT_TRUE(ids.insert(std::string(row.id)).second) << row.id;
}

TEST(Liars, LookForTheFunctionsThatComputeAnAnswer) {
  EXPECT_EQ(address_of(named_output_shape), address_of(oracle::output_shape));
  EXPECT_EQ(address_of(named_tile), address_of(oracle::tile));
  EXPECT_EQ(address_of(named_open_backend), address_of(backends::open_backend));
}

// Tests the goals: the core tier has all mutants but one, which needs gigabytes, the shortest 90 of 100.
TEST(Roster, LeavesLittleToLongerTiers) {
  std::size_t smoke = 0, core = 0;
  for (const Mutant& mutant : all_mutants()) {
    smoke += mutant.tier == Tier::smoke ? 1 : 0;
    core += mutant.tier <= Tier::core ? 1 : 0;
  }
  EXPECT_GE(100 * smoke, 90 * core);
  EXPECT_GE(core + 1, all_mutants().size());
}

}  // namespace
}  // namespace certile::conformance
