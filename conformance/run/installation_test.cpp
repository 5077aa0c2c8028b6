#include "conformance/run/installation.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

// A prefix with a space in its path, as an installation may have.
class Installed : public testing::Test {
 protected:
  void SetUp() override { files::remove_all(prefix); }
  void TearDown() override { files::remove_all(prefix); }

  void make(const std::string& file) const {
    files::create_directories((prefix / file).parent_path());
    std::ofstream(prefix / file) << '\n';
  }

  const files::path prefix = files::temp_directory_path() / ("a prefix " + std::to_string(getpid()));
  const Installation installation{prefix / "bin"};
};

TEST_F(Installed, HasTheHeaderBesideTheProgram) {
  EXPECT_EQ(installation.include_folder().error().what, "there is no certile_plugin.h in " +
                                                            (prefix / "include/certile").string() +
                                                            ": this program is not installed");
  make("include/certile/certile_plugin.h");
  EXPECT_EQ(*installation.include_folder(), (prefix / "include/certile").string());
}

TEST_F(Installed, AsksARuntimeThroughItsInstalledWorker) {
  EXPECT_EQ(installation.spelling_of("numpy"), "numpy");
  make("share/certile/adapters/adapting.py");
  const std::string workers = "'" + (prefix / "share/certile/adapters").string() + "'";
  EXPECT_EQ(installation.spelling_of("numpy"), "worker:python3 " + workers + "/numpy_worker.py");
  EXPECT_EQ(installation.spelling_of("onnx-inference"),
            "worker:python3 " + workers + "/onnx_worker.py inference");
  EXPECT_EQ(installation.spelling_of("scalar"), "scalar");
  EXPECT_EQ(installation.spelling_of("./numpy"), "./numpy");
}

TEST_F(Installed, AsksThePrivateEnvironmentOfARuntimeThatItsOwnPythonLacks) {
  make("share/certile/adapters/adapting.py");
  make("pyvenv.cfg");
  const auto own_python_ends_with = [&](int code) {
    make("bin/python3");
    std::ofstream(prefix / "bin/python3") << "#!/bin/sh\nexit " << code << '\n';
    files::permissions(prefix / "bin/python3", files::perms::owner_all);
  };
  own_python_ends_with(1);
  setenv("CERTILE_ENVIRONMENTS", (prefix / "made here").c_str(), 1);
  const std::string own = "worker:'" + (prefix / "bin/python3").string() + "' ";
  EXPECT_TRUE(installation.spelling_of("numpy").starts_with(own)) << "there is no private one";
  EXPECT_EQ(installation.remedy_for("numpy"), "certile environments make numpy");
  EXPECT_EQ(installation.remedy_for("scalar"), "");
  make("made here/numpy/installed");
  EXPECT_EQ(installation.remedy_for("numpy"), "");
  EXPECT_TRUE(installation.spelling_of("numpy").starts_with(
      "worker:'" + (prefix / "made here/numpy/bin/python").string() + "' "));
  EXPECT_TRUE(installation.spelling_of("onnx").starts_with(own)) << "it is another runtime's";
  own_python_ends_with(0);
  EXPECT_TRUE(installation.spelling_of("numpy").starts_with(own));
  unsetenv("CERTILE_ENVIRONMENTS");
}

TEST(Environments, LieWhereTheUsersDataLie) {
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(Installation::environments(), "/data/certile/environments");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(Installation::environments(),
            files::path(std::getenv("HOME")) / ".local/share/certile/environments");
}

TEST_F(Installed, PrefersThePythonOfItsOwnEnvironment) {
  make("share/certile/adapters/adapting.py");
  make("bin/python3");
  EXPECT_TRUE(installation.spelling_of("numpy").starts_with("worker:python3 "));
  make("pyvenv.cfg");
  EXPECT_TRUE(
      installation.spelling_of("numpy").starts_with("worker:'" + (prefix / "bin/python3").string() + "' "));
}

}  // namespace
}  // namespace certile::conformance
