// Tests `built-in`, which is what ./dev certify asks without a name.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "backends/registry/registry.hpp"
#include "conformance/cli/commands.hpp"

namespace certile::conformance {
namespace {

CertifyOptions options_of(const std::string& backend, bool tier_is_chosen, std::string* said = nullptr) {
  CertifyOptions options;
  options.backends = {backend};
  options.tier_is_chosen = tier_is_chosen;
  std::ostringstream error;
  name_built_in_backends(options, error);
  if (said != nullptr) *said = error.str();
  return options;
}

TEST(BuiltInBackends, AreAllNamedAndTheSlowOnesAskedInSmoke) {
  std::string said;
  const CertifyOptions options = options_of("built-in", false, &said);
  std::vector<std::string> all, slow;
  for (const backends::BuiltIn& each : backends::built_in_backends()) {
    if (!each.unavailable().empty()) continue;
    all.emplace_back(each.name);
    if (each.is_slow) slow.emplace_back(each.name);
  }
  EXPECT_EQ(options.backends, all);
  EXPECT_EQ(options.in_smoke, slow);
  for (const std::string& name : slow)
    EXPECT_NE(said.find("certile: " + name + " is slow, so it is asked in smoke"), std::string::npos) << said;
}

TEST(BuiltInBackends, AreAllAskedInTheTierThatIsNamed) {
  EXPECT_TRUE(options_of("built-in", true).in_smoke.empty());
}

TEST(BuiltInBackends, AreAskedInCoreWhereTheirNamesAreGiven) {
  const CertifyOptions options = options_of("xtensor", false);
  EXPECT_EQ(options.backends, std::vector<std::string>{"xtensor"});
  EXPECT_TRUE(options.in_smoke.empty());
}

}  // namespace
}  // namespace certile::conformance
