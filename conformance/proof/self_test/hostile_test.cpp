// Hostile plugins are survived: named as their rows say, nothing left behind, every other case judged as if
// they had not been. `certile self-test` meets all of them; these are some of each kind, after which this
// process is looked at, and whose host may have sanitizers.
#include "conformance/proof/self_test/hostile.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/process/host_program.hpp"
#include "conformance/ask/process/nameless_copy.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {

// Prints the name of a test's parameter.
void PrintTo(const Hostile& each, std::ostream* out) {
  *out << each.name;
}
namespace {

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

class HostilePlugin : public testing::TestWithParam<Hostile> {};

TEST_P(HostilePlugin, IsSurvived) {
  const Hostile& hostile = GetParam();
  if (hostile.fault == "memory" && !has_address_space_limit())
    GTEST_SKIP() << "no limit of memory is in force here";
  const bool is_sanitized = !std::string_view(CERTILE_SANITIZE).empty();
  // Earlier tests of this process may have killed a program whose processes then came to this one.
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  const std::string path = CERTILE_HOSTILE "/" + std::string(hostile.id) + ".so";
  static_cast<void>(nameless_copy(*host_program(program, path)));  // it stays open once it was made
  const std::ptrdiff_t descriptors = open_descriptors();
  const std::atomic<bool> interrupted{false};
  SurvivalOptions options;
  options.exactly = !is_sanitized;
  if (is_sanitized) options.time_limit = 2000;
  options.program = program;
  const Survival survival = survive(hostile, path, options, interrupted);
  EXPECT_TRUE(survival.survived) << hostile.words << "\n" << survival.why;
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
  EXPECT_EQ(errno, ECHILD);
}

// Returns the first and the last of those that show the same fault, against the same clause, in the same
// place.
std::vector<Hostile> some_of_each_kind() {
  std::vector<Hostile> chosen;
  const std::span<const Hostile> all = all_hostile();
  for (auto row = all.begin(); row != all.end(); ++row) {
    const auto is_alike = [row](const Hostile& other) {
      return other.shows == row->shows && other.fault == row->fault && other.role == row->role;
    };
    const bool is_within =
        std::any_of(all.begin(), row, is_alike) && std::any_of(row + 1, all.end(), is_alike);
    if (!is_within) chosen.push_back(*row);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, HostilePlugin, testing::ValuesIn(some_of_each_kind()),
                         [](const auto& row) {
                           return std::string(row.param.id) + "_" + std::string(row.param.name);
                         });

TEST(HostilePlugins, AreAllNamedOnce) {
  for (const Hostile& each : all_hostile()) {
    const auto is_same = [&](const Hostile& other) { return other.id == each.id || other.name == each.name; };
    EXPECT_EQ(std::ranges::count_if(all_hostile(), is_same), 1) << each.id;
  }
}

}  // namespace
}  // namespace certile::conformance
