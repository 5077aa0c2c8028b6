#include "conformance/ask/process/loaded_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "conformance/ask/asker.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

bool has_name(const std::vector<Part>& parts, std::string_view name) {
  return std::ranges::any_of(parts, [name](const Part& part) { return part.name.starts_with(name); });
}

TEST(LoadedFiles, AreTheFilesThatTheKernelListsWithCode) {
  EXPECT_EQ(mapped_file("7f00-7f01 r-xp 00000000 08:01 12      /usr/lib/a b.so", false), "/usr/lib/a b.so");
  EXPECT_EQ(mapped_file("7f00-7f01 r--p 00000000 08:01 12      /usr/lib/a.so", false), "");
  EXPECT_EQ(mapped_file("7f00-7f01 r--p 00000000 08:01 12      /usr/lib/a.so", true), "/usr/lib/a.so");
  EXPECT_EQ(mapped_file("7f00-7f01 r-xp 00000000 00:00 0       [vdso]", false), "");
  EXPECT_EQ(mapped_file("7f00-7f01 rwxp 00000000 00:00 0 ", false), "");
  EXPECT_EQ(mapped_file("", true), "");
}

TEST(LoadedFiles, AreTheLibraryItsHostAndWhatBothNeed) {
  LoadedFiles loaded;
  const std::string library = example_plugin("libexample");
  IsolateOptions options = isolate_options(library);
  options.loaded = &loaded;
  ASSERT_TRUE(open_asker(options));
  const auto parts = loaded.parts();
  EXPECT_TRUE(loaded.has(sha256_hex(file_content(library))));
  for (const char* name : {"certile-host", "libc.so", "libexample.so"})
    EXPECT_TRUE(has_name(parts, name)) << name;
  EXPECT_EQ(loaded.changed(), std::nullopt);
  EXPECT_TRUE(std::ranges::is_sorted(parts, {}, &Part::name));
}

// The word that starts Python may be a script that looks for an interpreter, so Python itself is asked.
TEST(LoadedFiles, OfAWorkerAreThoseOfItsInterpreter) {
  const std::string who = "import os, sys; print(os.path.realpath(sys.executable), end='')";
  const ProgramRun python = StartedProgram({CERTILE_PYTHON, "-c", who}).wait();
  ASSERT_EQ(python.exit_code, 0) << python.error;
  LoadedFiles loaded;
  IsolateOptions options = isolate_options("worker:" CERTILE_PYTHON " " CERTILE_WORKERS "/example.py");
  options.loaded = &loaded;
  ASSERT_TRUE(open_asker(options));
  EXPECT_TRUE(loaded.has(sha256_hex(file_content(python.out)))) << python.out;
}

TEST(LoadedFiles, AreChangedByAnotherFileInTheirPlace) {
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  LoadedFiles loaded;
  IsolateOptions options = isolate_options(library);
  options.loaded = &loaded;
  const auto asker = open_asker(options);
  ASSERT_TRUE(asker);
  fs::rename(library, library + ".kept");
  fs::copy_file(library + ".kept", library);
  static_cast<void>((*asker)->close());
  fs::remove(library + ".kept");
  EXPECT_EQ(loaded.changed().value_or("").substr(0, library.size() + 34),
            library + " was changed while it was judged, ");
}

// A library that is removed as soon as it is loaded cannot be compared with anything.
TEST(LoadedFiles, HaveNoDigestIfTheyAreRemovedBeforeTheyCouldBeRead) {
  const std::string library = temporary_path(".so");
  fs::copy_file(example_plugin("libexample"), library);
  IsolateOptions options = isolate_options(library);
  const auto asker = open_asker(options);
  ASSERT_TRUE(asker);
  fs::remove(library);
  LoadedFiles loaded;
  loaded.note(getpid());
  const auto parts = loaded.parts();
  const auto found = std::ranges::find(parts, fs::path(library).filename().string(), &Part::name);
  ASSERT_NE(found, parts.end());
  EXPECT_EQ(found->digest, "");
}

}  // namespace
}  // namespace certile::conformance
