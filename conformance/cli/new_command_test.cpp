#include "conformance/cli/commands.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

// A run of `certile new` in this process.
struct Written {
  int exit_code = -1;
  std::string out, error;
};

Written write_starter(const std::string& language, const std::string& folder) {
  std::ostringstream out, error;
  const int exit_code = new_command({language, folder}, out, error);
  return {exit_code, out.str(), error.str()};
}

std::string content_of(const files::path& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

TEST(NewCommand, EveryLanguageHasWhatAStarterNeeds) {
  ASSERT_FALSE(starter_languages().empty());
  for (const std::string& language : starter_languages()) {
    const files::path folder = temporary_path("-" + language);
    const Written written = write_starter(language, folder.string());
    EXPECT_EQ(written.exit_code, 0) << written.error;
    for (const char* path : {"README.md", "check.sh", ".gitignore", ".github/workflows/certile.yml"}) {
      EXPECT_TRUE(files::is_regular_file(folder / path)) << language << " lacks " << path;
      EXPECT_NE(written.out.find("wrote " + (folder / path).string() + "\n"), std::string::npos)
          << written.out;
    }
    files::remove_all(folder);
  }
}

TEST(NewCommand, TheKernelInCIsTheExample) {
  const files::path folder = temporary_path("-c");
  ASSERT_EQ(write_starter("c", folder.string()).exit_code, 0);
  EXPECT_EQ(content_of(folder / "example.c"), content_of(CERTILE_SOURCES "/backends/plugin/example.c"));
  files::remove_all(folder);
}

TEST(NewCommand, AnEmptyFolderIsUsed) {
  const files::path folder = temporary_path("-empty");
  ASSERT_TRUE(files::create_directory(folder));
  EXPECT_EQ(write_starter("c", folder.string()).exit_code, 0);
  EXPECT_TRUE(files::exists(folder / "example.c"));
  files::remove_all(folder);
}

TEST(NewCommand, AFolderWithFilesIsRefusedAndUnchanged) {
  const files::path folder = temporary_path("-full");
  ASSERT_TRUE(files::create_directory(folder));
  std::ofstream(folder / "mine") << "unchanged";
  const Written written = write_starter("c", folder.string());
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.error, "certile: " + folder.string() + " exists and is not empty; name a new folder\n");
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(std::distance(files::directory_iterator(folder), files::directory_iterator()), 1);
  EXPECT_EQ(content_of(folder / "mine"), "unchanged");
  files::remove_all(folder);
}

TEST(NewCommand, AFileIsNoFolder) {
  const std::string path = temporary_path("-file");
  std::ofstream(path) << "unchanged";
  const Written written = write_starter("c", path);
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.error, "certile: " + path + " exists and is no folder; name a new one\n");
  EXPECT_EQ(content_of(path), "unchanged");
  files::remove(path);
}

TEST(NewCommand, AnEmptyNameIsNoFolder) {
  const Written written = write_starter("c", "");
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.error, "certile: the name of the folder is empty; give it one\n");
  EXPECT_FALSE(files::exists("example.c")) << "written to the current folder";
}

TEST(NewCommand, AFolderThatCannotBeMadeIsNamed) {
  const std::string file = temporary_path("-file");
  std::ofstream(file) << "unchanged";
  const Written written = write_starter("c", file + "/mine");
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.error, "certile: cannot create " + file + "/mine: Not a directory\n");
  files::remove(file);
}

TEST(NewCommand, AnUnknownLanguageGetsTheClosestOne) {
  const Written written = write_starter("rsut", temporary_path("-none"));
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_EQ(written.error,
            "certile: there is no starter in 'rsut'; did you mean rust? There are c, cpp, rust, python; "
            "docs/languages.md shows others\n");
}

TEST(NewCommand, ALanguageThatHasAListingIsReferredToIt) {
  for (const char* language : {"node", "cuda"}) {
    const Written written = write_starter(language, temporary_path("-none"));
    EXPECT_EQ(written.exit_code, 2);
    EXPECT_EQ(written.error, std::string("certile: there is no starter in '") + language +
                                 "'; there are c, cpp, rust, python; docs/languages.md shows others\n");
  }
}

TEST(NewCommand, TheProgramTakesALanguageAndAFolder) {
  const std::string folder = temporary_path("-program");
  const ProgramRun run = run_program({"new", "c", folder});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NE(run.out.find("next: "), std::string::npos) << run.out;
  EXPECT_EQ(run_program({"new", "c", folder}).exit_code, 2);
  EXPECT_EQ(run_program({"new", "c"}).exit_code, 2);
  files::remove_all(folder);
}

}  // namespace
}  // namespace certile::conformance
