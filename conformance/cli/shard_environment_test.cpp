#include "conformance/cli/certify_checks.hpp"

#include <gtest/gtest.h>

#include <map>

namespace certile::conformance {
namespace {

using Variables = std::map<std::string, std::string>;

Result<GivenShard> shard_of(const Variables& variables) {
  return shard_in_environment([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(ShardInEnvironment, IsReadAsEachSchedulerCounts) {
  const std::vector<std::pair<Variables, const char*>> all{
      {{{"GTEST_SHARD_INDEX", "1"}, {"GTEST_TOTAL_SHARDS", "7"}}, "GoogleTest"},
      {{{"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "7"}}, "Bazel"},
      {{{"CERTILE_SHARD_INDEX", "1"}, {"CERTILE_SHARD_TOTAL", "7"}}, "the caller"},
      {{{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "7"}}, "GitLab"},
      {{{"JOB_COMPLETION_INDEX", "1"}, {"CERTILE_SHARD_TOTAL", "7"}}, "Kubernetes"},
      {{{"SLURM_ARRAY_TASK_ID", "2"}, {"SLURM_ARRAY_TASK_COUNT", "7"}, {"SLURM_ARRAY_TASK_MIN", "1"}},
       "Slurm"},
      {{{"SLURM_ARRAY_TASK_ID", "12"},
        {"SLURM_ARRAY_TASK_COUNT", "7"},
        {"SLURM_ARRAY_TASK_MIN", "10"},
        {"SLURM_ARRAY_TASK_STEP", "2"}},
       "Slurm"},
      {{{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "7"}}, "Open MPI"},
      {{{"PMI_RANK", "1"}, {"PMI_SIZE", "7"}}, "PMI"},
  };
  for (const auto& [variables, name] : all) {
    const auto given = shard_of(variables);
    ASSERT_TRUE(given) << given.error().what;
    EXPECT_EQ(given->shard, (Shard{2, 7})) << name;
    EXPECT_EQ(given->by.substr(0, given->by.find(',')), name);
  }
}

TEST(ShardInEnvironment, OfSeveralSchedulersIsThatOfTheFirst) {
  const auto given = shard_of({{"GTEST_SHARD_INDEX", "1"},
                               {"GTEST_TOTAL_SHARDS", "7"},
                               {"OMPI_COMM_WORLD_RANK", "1"},
                               {"OMPI_COMM_WORLD_SIZE", "7"}});
  ASSERT_TRUE(given) << given.error().what;
  EXPECT_EQ(given->by, "GoogleTest, by GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS");
}

TEST(ShardInEnvironment, PassesOverASchedulerWithOneProcess) {
  // GitLab sets CI_NODE_TOTAL to 1 for every job that is not parallel.
  const auto given =
      shard_of({{"CI_NODE_TOTAL", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  ASSERT_TRUE(given) << given.error().what;
  EXPECT_EQ(given->shard, (Shard{1, 4}));
}

TEST(ShardInEnvironment, IsRefusedIfItIsNoneOrTwo) {
  const std::vector<std::pair<Variables, const char*>> all{
      {{}, "no scheduler says which shard this is"},
      {{{"CI_NODE_TOTAL", "1"}}, "no scheduler says which shard this is"},
      {{{"CI_NODE_INDEX", "2"}}, "CI_NODE_INDEX is set and CI_NODE_TOTAL is not"},
      {{{"PMI_SIZE", "2"}}, "PMI_SIZE is set and PMI_RANK is not"},
      {{{"JOB_COMPLETION_INDEX", "1"}}, "CERTILE_SHARD_TOTAL is not"},
      {{{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "7"}}, "which is no shard: the first one is 1"},
      {{{"TEST_SHARD_INDEX", "7"}, {"TEST_TOTAL_SHARDS", "7"}}, "which is no shard: the first one is 0"},
      {{{"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "0"}}, "which is no shard"},
      {{{"TEST_SHARD_INDEX", "one"}, {"TEST_TOTAL_SHARDS", "7"}}, "TEST_SHARD_INDEX is 'one'"},
      {{{"TEST_SHARD_INDEX", "-1"}, {"TEST_TOTAL_SHARDS", "7"}}, "TEST_SHARD_INDEX is '-1'"},
      {{{"CI_NODE_INDEX", "2"},
        {"CI_NODE_TOTAL", "3"},
        {"OMPI_COMM_WORLD_RANK", "0"},
        {"OMPI_COMM_WORLD_SIZE", "4"}},
       "this is shard 2 of 3 to GitLab, by CI_NODE_INDEX and CI_NODE_TOTAL, and shard 1 of 4 to Open MPI"},
  };
  for (const auto& [variables, words] : all) {
    const auto given = shard_of(variables);
    ASSERT_FALSE(given) << words;
    EXPECT_NE(given.error().what.find(words), std::string::npos) << given.error().what;
  }
}

}  // namespace
}  // namespace certile::conformance
