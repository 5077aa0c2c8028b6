#include "conformance/ask/process/host_program.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

TEST(HostProgram, IsCertileForWhatItKnowsAndForWorkers) {
  EXPECT_EQ(*host_program("/proc/self/exe", "scalar"), "/proc/self/exe");
  EXPECT_EQ(*host_program("/proc/self/exe", "worker:./mine"), "/proc/self/exe");
}

TEST(HostProgram, LiesBesideCertileForASharedLibrary) {
  const auto host = host_program(program, "./mine.so");
  ASSERT_TRUE(host) << host.error().what;
  EXPECT_EQ(*host, fs::canonical(program).parent_path() / "certile-host");
}

TEST(HostProgram, LiesWhereAnInstallationPutsIt) {
  const fs::path prefix = temporary_path("");
  fs::create_directories(prefix / "bin");
  fs::create_directories(prefix / "libexec/certile");
  fs::copy_file(program, prefix / "bin/certile");
  const std::string certile = (prefix / "bin/certile").string();
  const auto missing = host_program(certile, "./mine.so");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Error::Code::io);
  EXPECT_EQ(missing.error().what,
            "cannot find certile-host, which judges shared libraries; install it next to " + certile +
                ", or in " + (prefix / "libexec/certile").string());
  fs::copy_file(fs::canonical(program).parent_path() / "certile-host",
                prefix / "libexec/certile/certile-host");
  const auto host = host_program(certile, "./mine.so");
  EXPECT_TRUE(host && *host == (prefix / "libexec/certile/certile-host").string());
  fs::remove_all(prefix);
}

}  // namespace
}  // namespace certile::conformance
