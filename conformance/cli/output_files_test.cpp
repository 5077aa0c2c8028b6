// Tests that certile never overwrites its inputs, never writes two outputs to one file, and reports every
// write error.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/records/record_stream.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

ProgramRun certify(Words words) {
  words.insert(words.begin(), {"certify", "scalar", "--case", small_case});
  return run_program(words);
}

bool are_records(const std::string& path) {
  return static_cast<bool>(read_records(path, {[](const RunHeader&) {}, [](const Record&) {}}));
}

void expect_refusal(const ProgramRun& run, const Words& words) {
  EXPECT_EQ(run.exit_code, 2) << run.out;
  EXPECT_EQ(run.out, "") << "nothing was run";
  EXPECT_EQ(run.error.rfind("certile: ", 0), 0U) << run.error;
  for (const std::string& word : words)
    EXPECT_NE(run.error.find(word), std::string::npos) << "no '" << word << "' in: " << run.error;
}

TEST(OutputFiles, AreNotMixedWithWhatIsPrintedWhereAStreamIsClosed) {
  for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"}) {
    const std::string records = temporary_path(".jsonl");
    run_in_shell("certile certify scalar --case '" + small_case +
                 "' --case 'onnx-tile-13 u8[3] x i64{-1}' --records '" + records + "' " + closed);
    EXPECT_TRUE(are_records(records)) << closed << ": " << file_content(records);
  }
}

TEST(OutputFiles, AStandardOutputThatIsClosedIsStillAnError) {
  const ProgramRun run = run_in_shell("certile certify scalar --case '" + small_case + "' >&-");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.error.find("could not be written to standard output"), std::string::npos) << run.error;
}

TEST(OutputFiles, HaveStandardOutputToThemselves) {
  const ProgramRun run = certify({"--records", "-"});
  EXPECT_EQ(run.exit_code, 0);
  std::istringstream lines(run.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_EQ(line.front(), '{') << line;
  EXPECT_EQ(count, 3) << "a header, a record, a footer: " << run.out;
  EXPECT_NE(run.error.find("PARTIAL (the plan was filtered"), std::string::npos) << run.error;
}

TEST(OutputFiles, OfAQuietRunLeaveTheVerdictAlone) {
  EXPECT_EQ(certify({"--quiet", "--definition", "onnx-tile-13"}).out,
            "scalar 1   onnx-tile-13   core   PARTIAL (the plan was filtered; asked: onnx-tile-13 alone)\n");
}

TEST(OutputFiles, TwoThatAreTheSameFileAreRefused) {
  const std::string path = temporary_path(".out"), link = temporary_path(".link");
  const fs::path whole(path);
  const std::string other_spelling = (whole.parent_path() / "." / whole.filename()).string();
  fs::create_symlink(path, link);
  for (const std::string& second : {path, other_spelling, link}) {
    expect_refusal(certify({"--records", path, "--junit", second}),
                   {"--records and --junit are the same file", second});
    EXPECT_FALSE(fs::exists(path)) << "nothing is written";
  }
  std::ofstream(path) << "old";
  fs::create_hard_link(path, path + ".hard");
  expect_refusal(certify({"--badge", path, "--markdown", path + ".hard"}), {"--badge", "--markdown"});
  EXPECT_EQ(file_content(path), "old");
  fs::remove(path + ".hard");
}

TEST(OutputFiles, ADeviceMayBeNamedTwice) {
  EXPECT_EQ(certify({"--records", "/dev/null", "--junit", "/dev/null"}).exit_code, 0);
}

TEST(OutputFiles, AreNotWrittenOverTheLibrary) {
  const std::string library = temporary_path(".so"), link = temporary_path(".link");
  fs::copy_file(example_plugin("libexample"), library);
  fs::create_symlink(library, link);
  const std::string before = file_content(library);
  for (const char* option : {"--records", "--junit", "--markdown", "--badge"})
    for (const std::string& path : {library, link})
      expect_refusal(run_program({"certify", library, "--case", small_case, option, path}),
                     {std::string(option) + " " + path + " would be written over the backend"});
  EXPECT_EQ(file_content(library), before);
}

TEST(OutputFiles, NeedAFolderBeforeAnythingIsRun) {
  const std::string path = testing::TempDir() + "no such folder/report.xml";
  const ProgramRun run = run_program({"certify", "./none.so", "--junit", path});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.error, "certile: --junit " + path + " cannot be written: there is no folder " +
                           testing::TempDir() + "no such folder\n");
}

// No one may make a file in /proc, the administrator neither.
TEST(OutputFiles, ThatCannotBeMadeAreRefusedBeforeAnythingIsRun) {
  for (const char* option : {"--html", "--junit", "--markdown", "--badge", "--annotations", "--certificate"})
    expect_refusal(certify({option, "/proc/report"}),
                   {std::string(option) + ": cannot write /proc/report: "});
  expect_refusal(certify({"--html", testing::TempDir()}), {"--html: cannot write ", "directory"});
  expect_refusal(certify({"--bundle", "/proc/bundle"}), {"cannot write /proc/bundle"});
  expect_refusal(certify({"--write-waivers", "/proc/waivers"}), {"cannot write /proc/waivers"});
  for (const char* option : {"--junit", "--witnesses"})
    expect_refusal(run_program({"self-test", "--tier", "smoke", option, "/proc/report"}), {"/proc/report"});
}

TEST(OutputFiles, RecordsThatCannotBeReadAgainGiveNoBundle) {
  for (const char* records : {"/dev/null", "-"})
    expect_refusal(certify({"--records", records, "--bundle", temporary_path("-bundle")}),
                   {"--bundle reads the records again; name a file for --records, or none"});
}

TEST(OutputFiles, ThatNoRunOfThePlanGivesAreRefusedBeforeTheRun) {
  const std::string path = temporary_path(".json");
  const auto refused = [&](Words words, const std::string& why) {
    for (const char* option : {"--certificate", "--bundle"}) {
      Words all = with_words({"certify", "scalar", option, path}, words);
      expect_refusal(run_program(all), {why});
      fs::remove_all(path);
    }
  };
  refused({"--tier", "smoke"}, "no certificate can be written, because the tier smoke is below core");
  refused({"--budget", "100"}, "because a budget of 100 cases cut the plan");
  refused({"--case", small_case}, "because the plan was filtered");
  refused({"--random", "7"}, "because --random changed the number of random cases of the tier");
  refused({"--shard", "1/2"}, "a certificate is about a whole run, and --shard asks a part of it");
  refused({"simd"}, "a certificate is about one backend, and 2 are named");
}

TEST(OutputFiles, MergedRecordsDoNotReplaceADevice) {
  expect_refusal(run_program({"merge", "none.jsonl", "--records", "/dev/null"}),
                 {"--records needs a file, and /dev/null is none"});
}

TEST(OutputFiles, AreNotWrittenOverWhatIsRead) {
  const std::string corpus = temporary_path(".tile"), waivers = temporary_path(".waivers");
  std::ofstream(corpus) << small_case << '\n';
  std::ofstream(waivers) << "# none\n";
  expect_refusal(run_program({"certify", "scalar", "--corpus", corpus, "--records", corpus}),
                 {"would be written over the corpus"});
  EXPECT_EQ(file_content(corpus), small_case + "\n");
  expect_refusal(certify({"--waivers", waivers, "--junit", waivers}), {"would be written over the waivers"});
  EXPECT_EQ(file_content(waivers), "# none\n");
  expect_refusal(run_program({"certify", "worker:cat '" + corpus + "'", "--records", corpus}),
                 {"would be written over the backend"});
  expect_refusal(certify({"--badge", program}), {"would be written over certile itself"});
}

TEST(OutputFiles, RecordsThatAnotherRunWritesAreRefused) {
  const std::string records = temporary_path(".jsonl");
  std::ofstream(records) << "of another run\n";
  const int other = open(records.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  expect_refusal(certify({"--records", records}), {records, "another process", "name another file"});
  EXPECT_EQ(file_content(records), "of another run\n");
  close(other);
  EXPECT_EQ(certify({"--records", records}).exit_code, 0);
  EXPECT_TRUE(are_records(records));
}

TEST(OutputFiles, RecordsThatCannotBeWrittenToCostTheRecordsAndNotTheRun) {
  const ProgramRun run = certify({"--records", "/dev/full"});
  EXPECT_EQ(run.exit_code, 3) << run.error;
  EXPECT_NE(run.out.find("1 pass"), std::string::npos) << run.out;
}

// The limit of file sizes also limits shared memory, so no backend can be started.
TEST(OutputFiles, ThatMayNotGrowEndTheProgramByASentenceAndNotByASignal) {
  const std::string records = temporary_path(".jsonl");
  const ProgramRun run = StartedProgram({"/bin/sh", "-c",
                                         "ulimit -f 16; exec '" + program + "' certify scalar --case '" +
                                             small_case + "' --records '" + records + "'"})
                             .wait();
  EXPECT_EQ(run.exit_code, 4) << run.error;
  EXPECT_NE(run.error.find("File too large"), std::string::npos) << run.error;
}

}  // namespace
}  // namespace certile::conformance
