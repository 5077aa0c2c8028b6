#include "conformance/cli/remarks.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

TEST(Legend, IsForTheFirstVerdictOfAUserAlone) {
  const std::string folder = temporary_path("-state");
  setenv("XDG_STATE_HOME", folder.c_str(), 1);
  EXPECT_TRUE(is_first_verdict());
  EXPECT_FALSE(is_first_verdict());
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(is_first_verdict()) << "nothing else is remembered";
  setenv("XDG_STATE_HOME", "/proc", 1);
  EXPECT_FALSE(is_first_verdict()) << "it would be shown each time";
  unsetenv("XDG_STATE_HOME");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace certile::conformance
