// Tests that every bad input gives the documented exit code and one sentence on standard error, which names
// the input and the remedy.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

// Checks the exit code, and that standard error has one sentence, which contains these words: one line, or
// three if the sentence shows a text with a caret.
void expect_sentence(const ProgramRun& run, int exit_code, const Words& words) {
  EXPECT_EQ(run.exit_code, exit_code) << run.error;
  EXPECT_EQ(run.error.rfind("certile: ", 0), 0U) << run.error;
  EXPECT_EQ(std::count(run.error.begin(), run.error.end(), '\n'), run.error.ends_with("^\n") ? 3 : 1)
      << run.error;
  for (const std::string& word : words)
    EXPECT_NE(run.error.find(word), std::string::npos) << "no '" << word << "' in: " << run.error;
}

TEST(BadInput, MalformedLiteral) {
  expect_sentence(run_program({"run", "scalar", "onnx-tile-13 f32[2,3 x i64{2,2}"}), 2,
                  {"column", "f32[2,3 x"});
  expect_sentence(run_program({"certify", "scalar", "--case", "nonsense"}), 2, {"column 1", "nonsense"});
  expect_sentence(run_program({"certify", "scalar", "--case", "onnx-tile-13 u8[3] y i64{2}"}), 2,
                  {"column 19", "\n  onnx-tile-13 u8[3] y i64{2}\n                    ^"});
  const ProgramRun oracle = run_program({"oracle", "onnx-tile-13 f32[2] x"});
  EXPECT_EQ(oracle.exit_code, 2);
  EXPECT_EQ(oracle.error.rfind("certile: column ", 0), 0U) << oracle.error;
}

TEST(BadInput, MissingLibraryIsTheSameWithAndWithoutAFolder) {
  for (const char* spelling : {"missing.so", "./missing.so"})
    expect_sentence(run_program({"certify", spelling}), 4,
                    {std::string(spelling) + ": there is no such file; give the path of a shared library"});
}

TEST(BadInput, LiteralWithTerminalEscapes) {
  const ProgramRun run = run_program({"run", "scalar", "onnx\033[2J\n"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.error.find('\033'), std::string::npos) << run.error;
  EXPECT_EQ(std::count(run.error.begin(), run.error.end(), '\n'), 3) << run.error;
}

TEST(BadInput, UnknownBackend) {
  for (const char* command : {"run", "certify"}) {
    Words words{command, "sclar"};
    if (words[0] == "run") words.push_back(small_case);
    expect_sentence(run_program(words), 2, {"'sclar'", "scalar, eigen, xtensor", "'/'"});
  }
}

TEST(BadInput, AMisspeltNameGetsTheClosestOne) {
  expect_sentence(run_program({"certify", "sclar"}), 2, {"did you mean scalar?"});
  expect_sentence(run_program({"certfy", "scalar"}), 2, {"no command 'certfy'", "did you mean certify?"});
  expect_sentence(run_program({"help", "certfy"}), 2, {"no command 'certfy'", "did you mean certify?"});
  expect_sentence(run_program({"frobnicate"}), 2, {"there are list, oracle"});
}

TEST(BadInput, TwoFilesForStandardOutput) {
  expect_sentence(run_program({"certify", "scalar", "--case", small_case, "--records", "-", "--junit", "-"}),
                  2, {"--records and --junit both go to standard output"});
}

TEST(BadInput, QuietAndVerbose) {
  EXPECT_EQ(run_program({"certify", "scalar", "--case", small_case, "--quiet", "--verbose"}).exit_code, 2);
}

TEST(BadInput, UnknownOperatorTierAndOption) {
  const ProgramRun definition = run_program({"certify", "scalar", "--definition", "onnx-tile-7"});
  EXPECT_EQ(definition.exit_code, 2);
  EXPECT_NE(definition.error.find("onnx-tile-7"), std::string::npos) << definition.error;
  EXPECT_NE(definition.error.find("onnx-tile-13"), std::string::npos) << "the remedy: " << definition.error;
  expect_sentence(run_program({"certify", "scalar", "--tier", "medium"}), 2,
                  {"'medium'", "smoke, core, full"});
  expect_sentence(run_program({"claim", "scalar", "--tier", "large"}), 2, {"'large'", "smoke, core, full;"});
  EXPECT_EQ(run_program({"certify", "scalar", "--quick"}).exit_code, 2);
  EXPECT_EQ(run_program({"certify"}).exit_code, 2);
  EXPECT_EQ(run_program({}).exit_code, 2);
}

TEST(BadInput, UnknownRequirement) {
  expect_sentence(run_program({"certify", "scalar", "--clause", "OV-T1-Z9"}), 2, {"OV-T1-Z9"});
}

TEST(BadInput, LibraryThatIsMissing) {
  expect_sentence(run_program({"certify", "./no/libmine.so"}), 4,
                  {"./no/libmine.so", "no such file", "path"});
  expect_sentence(run_program({"run", "./no/libmine.so", small_case}), 4,
                  {"./no/libmine.so", "no such file"});
}

TEST(BadInput, FileThatIsNoLibrary) {
  const std::string path = written_file(".so", "text\n");
  expect_sentence(run_program({"certify", path}), 4, {path, "shared library"});
  expect_sentence(run_program({"certify", testing::TempDir()}), 4, {"not a file"});
}

TEST(BadInput, LibraryWithoutTheSymbol) {
  expect_sentence(run_program({"certify", test_plugin("no_symbol")}), 4,
                  {"no_symbol.so", "certile_plugin_open", "certile_plugin.h"});
}

TEST(BadInput, LibraryOfAnotherMajor) {
  expect_sentence(run_program({"certify", test_plugin("wrong_major")}), 4,
                  {"wrong_major.so", "major 2", "rebuild"});
}

TEST(BadInput, LibraryThatCrashesWhileLoading) {
  const std::string path = test_plugin("crash_while_loading");
  const ProgramRun run = run_program({"certify", path});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.error, "certile: " + path +
                           " ended the process by signal 6 (Aborted) while it was being loaded; it printed:\n"
                           "  the licence server was not found\n  ask its owner\n");
  EXPECT_EQ(run_program({"run", path, "onnx-tile-13 u8[2] x i64{2}"}).error, run.error);
}

TEST(BadInput, VariableWithoutAValue) {
  for (const char* each : {"NAME", "=1", "7UP=1", "A-B=1", ""})
    EXPECT_NE(run_program({"certify", "scalar", "--env", each}).error.find("is not NAME=VALUE"),
              std::string::npos)
        << each;
}

TEST(BadInput, UnreadableCorpus) {
  expect_sentence(run_program({"certify", "scalar", "--corpus", "./none.tile"}), 2,
                  {"./none.tile", "No such file"});
  expect_sentence(run_program({"certify", "scalar", "--corpus", testing::TempDir()}), 2,
                  {testing::TempDir()});
}

TEST(BadInput, CorpusAndWaiversWithoutAnEnd) {
  expect_sentence(run_program({"certify", "scalar", "--corpus", "/dev/zero"}), 2, {"/dev/zero", "256 MiB"});
  expect_sentence(run_program({"certify", "scalar", "--waivers", "/dev/zero"}), 2, {"/dev/zero", "256 MiB"});
}

TEST(BadInput, LongWrongLineOfWaivers) {
  const std::string path = written_file(".waivers", std::string(5'000'000, 'w') + "\n");
  const ProgramRun run = run_program({"certify", "scalar", "--waivers", path});
  expect_sentence(run, 2, {path + ":1: 'www"});
  EXPECT_LT(run.error.size(), 1000U);
}

TEST(BadInput, EmptyCorpus) {
  const std::string path = written_file(".tile", "# nothing but words\n\n");
  expect_sentence(run_program({"certify", "scalar", "--corpus", path}), 2, {path, "no case"});
}

TEST(BadInput, CorpusWithALineThatIsNoCase) {
  const std::string path = written_file(".tile", small_case + "\nonnx-tile-13 u8[3 x i64{2}\n");
  expect_sentence(run_program({"certify", "scalar", "--corpus", path}), 2,
                  {path + ":2", "\n  onnx-tile-13 u8[3 x i64{2}\n                   ^\n"});
}

TEST(BadInput, CorpusThatExpectsWhatTheOracleDoesNot) {
  const std::string path = written_file(".tile", "onnx-tile-13 u8{7} x i64{2} => u8{7,8}\n");
  expect_sentence(run_program({"certify", "scalar", "--corpus", path}), 2, {path + ":1"});
}

// A file that cannot be written does not cost the other reports and the records.
TEST(BadInput, ReportThatCannotBeWritten) {
  for (const char* option : {"--junit", "--markdown", "--badge"}) {
    const std::string records = temporary_path(".jsonl");
    const ProgramRun run =
        run_program({"certify", "scalar", "--case", small_case, "--records", records, option, "/dev/full"});
    expect_sentence(run, 2, {"/dev/full"});
    EXPECT_NE(run.out.find("1 pass"), std::string::npos) << run.out;
    EXPECT_NE(file_content(records).find("\"footer\""), std::string::npos);
  }
}

TEST(BadInput, RecordsThatCannotBeOpened) {
  const ProgramRun run =
      run_program({"certify", "scalar", "--case", small_case, "--records", "/no/such/folder/file"});
  expect_sentence(run, 2, {"/no/such/folder/file", "there is no folder /no/such/folder"});
}

TEST(BadInput, RecordsThatCannotBeWrittenToTheirEnd) {
  const ProgramRun run = run_program({"certify", "scalar", "--case", small_case, "--records", "/dev/full"});
  expect_sentence(run, 3, {"/dev/full", "No space left"});
  EXPECT_NE(run.out.find("1 pass"), std::string::npos) << "the report is not lost: " << run.out;
}

TEST(BadInput, AnOptionThatIsMisspelt) {
  const ProgramRun run = run_program({"certify", "scalar", "--teir", "smoke"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.error,
            "certile: there is no option '--teir'; did you mean --tier? certile certify --help says more\n");
  expect_sentence(run_program({"certify", "--jbos=2", "scalar"}), 2, {"'--jbos'; did you mean --jobs?"});
  expect_sentence(run_program({"environments", "make", "--nmae"}), 2, {"there is no option '--nmae'"});
  expect_sentence(run_program({"--verison"}), 2, {"'--verison'; did you mean --version?"});
  expect_sentence(run_program({"certify", "--tier", "smoke"}), 2, {"BACKEND", "certile certify --help"});
  expect_sentence(run_program({"list", "--", "--nmaes"}), 2, {"--nmaes"});
}

TEST(BadInput, AFolderWhereABackendIsNamed) {
  expect_sentence(run_program({"certify", ".."}), 2, {"'..' is a folder; name the shared library in it"});
}

TEST(CommandLine, HelpIsACommandAsInOtherPrograms) {
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  const ProgramRun of_certify = run_program({"help", "certify"});
  EXPECT_EQ(of_certify.exit_code, 0) << of_certify.error;
  EXPECT_EQ(of_certify.out, run_program({"certify", "--help"}).out);
}

// A limit of the size of files refuses what a full disk refuses; it holds for a file of standard error too.
TEST(BadInput, KeyForWhichThereIsNoRoom) {
  const std::string name = temporary_path("-signer");
  const ProgramRun run =
      StartedProgram(
          {"/bin/sh", "-c", "(ulimit -f 0; '" + program + "' keygen '" + name + "'; echo $?) 2>&1 | cat"})
          .wait();
  EXPECT_EQ(run.out, "certile: cannot write " + name + ".key: File too large\n2\n");
  EXPECT_FALSE(std::filesystem::exists(name + ".key"));
  std::ofstream(name + ".pub") << "of another key\n";
  expect_sentence(run_program({"keygen", name}), 2, {"cannot write " + name + ".pub: File exists"});
  EXPECT_FALSE(std::filesystem::exists(name + ".key")) << "a key without its public half";
}

TEST(BadInput, StandardOutputThatCannotBeWritten) {
  for (const std::string& command :
       {"certify scalar --case '" + small_case + "'", "run scalar '" + small_case + "'", std::string("list"),
        "oracle '" + small_case + "'", "oracle - <'" + written_file(".tile", small_case) + "'",
        std::string("explain vacuous"), std::string("explain"), std::string("self-test --list"),
        std::string("--help"), std::string("--version"), std::string("certify --help")}) {
    const ProgramRun run = run_in_shell("certile " + command + " >/dev/full");
    EXPECT_EQ(run.exit_code, 2) << command;
    EXPECT_EQ(run.error, "certile: the results could not be written to standard output\n") << command;
  }
}

TEST(BadInput, NameAndMessagesThatWriteOnTheTerminal) {
  const std::string records = temporary_path(".jsonl"), junit = temporary_path(".xml");
  const std::string markdown = temporary_path(".md"), badge = temporary_path(".json");
  const ProgramRun run = run_program({"certify", test_plugin("nasty_name"), "--tier", "smoke", "--records",
                                      records, "--junit", junit, "--markdown", markdown, "--badge", badge});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  for (const std::string& text : {run.out, run.error, file_content(records), file_content(junit),
                                  file_content(markdown), file_content(badge)}) {
    EXPECT_TRUE(std::none_of(text.begin(), text.end(),
                             [](char c) { return (c >= 0 && c < 32 && c != '\n') || c == 127; }));
    EXPECT_EQ(text.find("\nname"), std::string::npos) << "a line of its own";
    EXPECT_EQ(text.find("\nverdict: pass"), std::string::npos);
  }
}

// GitHub, Azure and TeamCity execute ::command:: at the beginning of a line, and ##[command] anywhere in it.
TEST(BadInput, NameAndMessagesThatGiveOrdersToACiSystem) {
  const std::string records = temporary_path(".jsonl"), junit = temporary_path(".xml");
  const std::string markdown = temporary_path(".md"), badge = temporary_path(".json");
  const std::string plugin = test_plugin("gives_orders");
  const ProgramRun run = run_program({"certify", plugin, "--tier", "smoke", "--records", records, "--junit",
                                      junit, "--markdown", markdown, "--badge", badge});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  const ProgramRun one = run_program({"run", plugin, the_case});
  EXPECT_EQ(one.exit_code, 1) << one.error;
  for (const std::string& text : {run.out, run.error, one.out, file_content(records), file_content(junit),
                                  file_content(markdown), file_content(badge)}) {
    for (const char* order : {"##[", "##vso["})
      EXPECT_EQ(text.find(order), std::string::npos) << text.substr(text.find(order), 200);
    for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
      const std::size_t word = text.find_first_not_of(' ', line);
      EXPECT_NE(text.substr(word, 2), "::") << text.substr(line, 200);
      if (text.find('\n', line) == text.npos) break;
    }
  }
  EXPECT_EQ(file_content(markdown).find("# http://"), std::string::npos);
  EXPECT_NE(file_content(markdown).find("http&#58;//example.org"), std::string::npos)
      << file_content(markdown);
}

TEST(BadInput, ShapesThatNoMemoryHolds) {
  const std::string plugin = test_plugin("absurd_shape");
  for (const char* literal :
       {"onnx-tile-13 u8[3] x i64{2}", "onnx-tile-13 u8[3,1] x i64{2,1}",
        "onnx-tile-13 u8[1,1,2] x i64{1,1,1}", "onnx-tile-13 u8[1,1,1,2] x i64{1,1,1,1}"}) {
    const ProgramRun run = run_program({"run", plugin, literal});
    EXPECT_EQ(run.exit_code, 1) << run.error;
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.out.rfind("fail  absurd-shape  " + std::string(literal), 0), 0U) << run.out;
  }
}

TEST(BadInput, NumbersThatAreNone) {
  for (const Words& words :
       {Words{"--jobs", "0"}, Words{"--time-limit", "-1"}, Words{"--seed", "x"}, Words{"--random", "-5"},
        Words{"--seed", "99999999999999999999"}, Words{"--random", "99999999999999999999"},
        Words{"--memory-limit", "99999999999999999999"}, Words{"--memory-limit", "much"}}) {
    Words all{"certify", "scalar", "--case", small_case};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramRun run = run_program(all);
    EXPECT_EQ(run.exit_code, 2) << words[0] << ' ' << words[1] << ": " << run.error;
    EXPECT_NE(run.error.find(words[0]), std::string::npos) << run.error;
  }
}

}  // namespace
}  // namespace certile::conformance
