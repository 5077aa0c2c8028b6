// Tests that a program which links certile's runner is judged as a library is.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/ask/process/runner_note.hpp"
#include "conformance/proof/mutants/program_symbols.h"
#include "conformance/proof/self_test/hostile.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/text/version.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

std::string program_named(const std::string& name) {
  return CERTILE_PROGRAMS "/" + name;
}

ProgramRun certify(const std::string& path) {
  return run_program({"certify", path, "--tier", "smoke", "--fail-fast"});
}

// Writes a file that may be started, and returns its path.
std::string executable(const std::string& content) {
  const std::string path = temporary_path(".program");
  std::ofstream(path, std::ios::binary) << content;
  files::permissions(path, files::perms::owner_all);
  return path;
}

TEST(Runner, MakesAConformantProgramOfARightKernel) {
  const ProgramRun run = certify(program_named("H00"));
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_NE(run.out.find("CONFORMANT (full"), std::string::npos) << run.out;
}

TEST(Runner, ShowsTheFailingCaseOfAWrongKernel) {
  const ProgramRun run = certify(program_named("M01"));
  EXPECT_EQ(run.exit_code, 1) << run.out << run.error;
  EXPECT_NE(run.out.find("NOT CONFORMANT ("), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("certile run " + program_named("M01") + " 'openvino-tile-1 f32["), run.out.npos)
      << run.out;
}

TEST(Runner, CatchesALiar) {
  for (const char* liar : {"L02", "L06", "L09", "L12"}) {
    const ProgramRun run = certify(program_named(liar));
    EXPECT_EQ(run.exit_code, 1) << liar << run.out << run.error;
  }
}

TEST(Runner, SurvivesACrashAHangAndAnAttackOnTheHost) {
  for (const char* id : {"H01", "H04", "H19", "H23", "H28", "H50"}) {
    const auto hostile = std::ranges::find(all_hostile(), id, &Hostile::id);
    ASSERT_NE(hostile, all_hostile().end()) << id;
    SurvivalOptions options;
    options.exactly = std::string_view(CERTILE_SANITIZE).empty();
    if (!options.exactly) options.time_limit = 2000;
    options.program = program;
    const std::atomic<bool> interrupted{false};
    const Survival survival = survive(*hostile, program_named(id), options, interrupted);
    EXPECT_TRUE(survival.survived) << id << ' ' << hostile->words << "\n" << survival.why;
  }
}

// Returns the names that nm prints of the archive, with these options.
std::string symbols_of_archive(const std::vector<std::string>& options) {
  std::vector<std::string> words{"nm", CERTILE_RUNNER_ARCHIVE};
  words.insert(words.end(), options.begin(), options.end());
  std::istringstream lines(StartedProgram(words).wait().out);
  std::string symbols;
  for (std::string line; std::getline(lines, line);)
    if (line.find(' ') != line.npos) symbols += line.substr(line.rfind(' ')) + '\n';
  return symbols;
}

TEST(Runner, LeavesNothingOfCertileToCall) {
  if (!emulator_words().empty()) GTEST_SKIP() << "nm reads no other processor's files";
  EXPECT_EQ(symbols_of_archive({"--extern-only", "--defined-only"}), " certile_runner_main\n");
  const std::string all = symbols_of_archive({});
  EXPECT_NE(all.find("run_host"), all.npos);
  for (const char* answers : {SYMBOL_OF_OUTPUT_SHAPE, SYMBOL_OF_TILE, SYMBOL_OF_OPEN_BACKEND})
    EXPECT_EQ(all.find(answers), all.npos) << answers;
}

TEST(Runner, IsKnownByItsMarkAlone) {
  EXPECT_EQ(runner_version(program_named("H00")), version);
  for (const std::string& other : {program, std::string("/bin/true"), example_plugin("libexample"),
                                   std::string("./none"), std::string("/"), std::string("/dev/null")})
    EXPECT_EQ(runner_version(other), std::nullopt) << other;
  const std::string content = file_content(program_named("H00"));
  for (std::size_t size = 0; size < 4096; size += 7)
    EXPECT_EQ(runner_version(executable(content.substr(0, size))).value_or(version), version) << size;
}

TEST(Runner, OfAnotherVersionIsNamedAndNotStarted) {
  std::string content = file_content(program_named("H00"));
  const std::size_t mark = content.find(std::string("certile\0", 8) + version);
  ASSERT_NE(mark, std::string::npos);
  content[mark + 8] = '9';
  const std::string path = executable(content);
  const std::string other = '9' + std::string(version).substr(1);
  const ProgramRun run = certify(path);
  EXPECT_EQ(run.exit_code, 4) << run.error;
  EXPECT_EQ(run.error, "certile: " + path + " is linked with the runner of certile " + other +
                           ", and this is certile " + version + "; link it again\n");
}

TEST(Runner, IsMissingInAnotherProgramWhichIsNotStarted) {
  if (!emulator_words().empty()) GTEST_SKIP() << "/bin/true is for the emulator's own processor";
  const ProgramRun run = certify("/bin/true");
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(
      run.error,
      "certile: /bin/true: this is a program, and not one that links certile's runner; build the kernel as "
      "a shared library, or link certile::runner and call certile_runner_main in main\n");
}

TEST(Runner, ThatAProgramDoesNotCallIsOneSentence) {
  const ProgramRun run = certify(program_named("silent"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.error,
            "certile: " + program_named("silent") +
                " ended before it answered certile; main has to call certile_runner_main, and to return "
                "what that returns; it printed: nothing to do\n");
  EXPECT_EQ(run.out.find("nothing to do"), std::string::npos) << run.out;
}

TEST(Runner, StartedByAPersonSaysWhoStartsIt) {
  if (!emulator_words().empty()) GTEST_SKIP() << "a person starts it in the emulator";
  for (const std::vector<std::string>& words :
       {std::vector{program_named("H00")}, std::vector{program_named("H00"), std::string("host")}}) {
    const ProgramRun run = StartedProgram(words).wait();
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.error,
              "this program is a kernel that certile starts to judge it: certile certify ./PROGRAM\n");
  }
}

}  // namespace
}  // namespace certile::conformance
