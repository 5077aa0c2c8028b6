// Compares reports made from records with those that `certify` wrote.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/mutants_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/testing/quick_runs_test.hpp"

namespace certile::conformance {
namespace {

// Returns options for all report files, whose paths begin with `path`.
Words files_at(const std::string& path) {
  return {"--junit", path + ".xml",  "--markdown", path + ".md",
          "--badge", path + ".json", "--html",     path + ".html"};
}

// Removes what records do not contain: the duration of a run, and what fresh cases say of a pattern.
std::string without_live_facts(const std::string& text) {
  std::istringstream lines(text);
  std::string without;
  for (std::string line; std::getline(lines, line); without += line + '\n') {
    if (line.find("the clause fails exactly where ") != std::string::npos) line = "      a pattern";
    if (const auto gap = line.rfind("   "); gap != std::string::npos && line.ends_with(" s") &&
                                            line.find_first_not_of("0123456789.", gap + 3) == line.size() - 2)
      line.resize(gap);
  }
  return without;
}

// Removes from a page what fresh cases say of a pattern.
std::string without_patterns(std::string page) {
  const std::string_view begin = "<ul class=why>", end = "</ul>";
  for (auto at = page.find(begin); at != std::string::npos; at = page.find(begin))
    page.erase(at, page.find(end, at) + end.size() - at);
  return page;
}

void expect_the_same_of_records(const ProgramRun& certified, const std::string& path) {
  const ProgramRun reported = run_program(with_words({"report", path + ".jsonl"}, files_at(path + ".again")));
  EXPECT_EQ(reported.error, "");
  EXPECT_EQ(without_live_facts(reported.out), without_live_facts(certified.out));
  EXPECT_NE(reported.out, "");
  for (const char* ending : {".xml", ".md", ".json", ".html"}) {
    EXPECT_EQ(without_patterns(file_content(path + ".again" + ending)),
              without_patterns(file_content(path + ending)))
        << ending;
    EXPECT_NE(file_content(path + ending), "") << ending;
  }
  const int verdict = certified.exit_code == 130 ? 1 : certified.exit_code;
  EXPECT_EQ(reported.exit_code, verdict);
}

ProgramRun certify(const Words& words, const std::string& path) {
  return run_program(
      with_words(with_words(with_words({"certify"}, words), files_at(path)), {"--records", path + ".jsonl"}));
}

void expect_the_same(const Words& words, int exit_code) {
  const std::string path = temporary_path("");
  const ProgramRun run = certify(words, path);
  EXPECT_EQ(run.exit_code, exit_code) << run.error;
  expect_the_same_of_records(run, path);
}

TEST(ReportsOfRecords, AreThoseOfAPassingRun) {
  expect_the_same(quick_run, 0);
}

TEST(ReportsOfRecords, AreThoseOfAFailingRun) {
  expect_the_same(quick_failing_run, 1);
}

TEST(ReportsOfRecords, AreThoseOfAWaivedRun) {
  const std::string waivers = temporary_path(".waivers");
  std::ofstream(waivers) << "ONNX-T13-O2 u8 shape \"known\" owner: me link: none until: 9999-12-31\n"
                            "ONNX-T13-O2 f32 shape \"past\" owner: me link: none until: 2020-01-01\n"
                            "'onnx-tile-13 u8[4321] x i64{2}' shape \"mended\" owner: me link: none until: "
                            "9999-12-31\n";
  expect_the_same({zero_as_one, "--tier", "smoke", "--definition", "onnx-tile-13", "--budget", "300",
                   "--waivers", waivers},
                  1);
}

TEST(ReportsOfRecords, AreThoseOfAFilteredRunOfTwoBackends) {
  expect_the_same({"scalar", zero_as_one, "--tier", "smoke", "--clause", "ONNX-T13-X2", "--budget", "300"},
                  1);
}

TEST(ReportsOfRecords, AreThoseOfABackendThatSaysWhatIsNoText) {
  expect_the_same({test_plugin("nasty_name"), "--case", "onnx-tile-13 u8[3] x i64{2}"}, 0);
}

TEST(ReportsOfRecords, AreThoseOfAnInterruptedRun) {
  const std::string path = temporary_path("");
  StartedProgram started(program_words(
      with_words(with_words({"certify", example_plugin("libexample"), "--jobs", "1"}, files_at(path)),
                 {"--records", path + ".jsonl"})));
  wait_for_lines(path + ".jsonl", 100);
  kill(started.id(), SIGINT);
  const ProgramRun run = started.wait();
  EXPECT_EQ(run.exit_code, 130) << run.error;
  expect_the_same_of_records(run, path);
}

TEST(ReportsOfRecords, CanBeOfSeveralFiles) {
  const std::string one = temporary_path("one"), two = temporary_path("two");
  const ProgramRun first = certify({"scalar", "--case", "onnx-tile-13 u8[3] x i64{2}"}, one);
  const ProgramRun second = certify({zero_as_one, "--case", "onnx-tile-13 u8[3] x i64{0}"}, two);
  const ProgramRun both = run_program({"report", one + ".jsonl", two + ".jsonl"});
  const std::string each = without_live_facts(first.out) + "\n" + without_live_facts(second.out);
  EXPECT_EQ(both.out.substr(0, each.size()), each);
  EXPECT_EQ(both.out.substr(each.size(), 8), "\nbackend");
  EXPECT_EQ(both.exit_code, 1);
}

TEST(ReportsOfRecords, ThatAreNotWholeAreRefused) {
  const std::string path = temporary_path("");
  certify({"scalar", "--case", "onnx-tile-13 u8[3] x i64{2}"}, path);
  const std::string text = file_content(path + ".jsonl");
  std::ofstream(path + ".jsonl") << text.substr(0, text.find("{\"footer\""));
  const ProgramRun run = run_program({"report", path + ".jsonl"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.error.find("without a footer: this run was cut short"), std::string::npos) << run.error;
}

TEST(ReportsOfRecords, HaveAPageWithThePartOfALargeOutputThatIsWrong) {
  const std::string path = temporary_path(".html");
  const ProgramRun run =
      run_program({"certify", CERTILE_MUTANTS "/M01.so", "--html", path, "--case",
                   "openvino-tile-1 u8[4321] x i64{2}", "--case", "onnx-tile-6 u8[2] x i64{2}"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_NE(file_content(path).find("columns 0 to 8 of 8642</p><div class=grids>"), std::string::npos);
}

TEST(ReportsOfRecords, HaveAPageThatComparesWithEarlierOnes) {
  const std::string path = temporary_path("");
  run_program({"certify", "scalar", "--case", "onnx-tile-13 u8[3] x i64{2}", "--records", path + ".jsonl"});
  const ProgramRun alone = run_program({"report", path + ".jsonl", "--against", path + ".jsonl"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_EQ(alone.error, "certile: --against is for a page; name its file with --html\n");
  const ProgramRun both =
      run_program({"report", path + ".jsonl", "--against", path + ".jsonl", "--html", path + ".html"});
  EXPECT_EQ(both.exit_code, 0) << both.error;
  const std::string page = file_content(path + ".html");
  EXPECT_NE(page.find("compared with"), std::string::npos);
  EXPECT_NE(page.find("Nothing changed."), std::string::npos);
  const ProgramRun over =
      run_program({"report", path + ".jsonl", "--against", path + ".html", "--html", path + ".html"});
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_EQ(file_content(path + ".html"), page);
}

TEST(ReportsOfRecords, AreNotWrittenOverTheRecords) {
  const std::string path = temporary_path("");
  certify({"scalar", "--case", "onnx-tile-13 u8[3] x i64{2}"}, path);
  const ProgramRun run = run_program({"report", path + ".jsonl", "--junit", path + ".jsonl"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.error.find("would be written over the records"), std::string::npos) << run.error;
}

}  // namespace
}  // namespace certile::conformance
