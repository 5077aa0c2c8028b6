// Tests of waivers as a user sees them: the output, the files and the exit code of `certify`.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/mutants_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {
namespace {

class WaivedRuns : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }

  ProgramRun certify(std::vector<std::string> words) {
    words.insert(words.begin(), {program, "certify", zero_as_one});
    return StartedProgram(words).wait();
  }
  std::string write(const std::string& text) {
    std::ofstream(folder_ + "/M09.waivers") << text;
    return folder_ + "/M09.waivers";
  }

  const std::string folder_ = temporary_path("waivers");
  const std::vector<std::string> cases_{"--case", "onnx-tile-13 u8[2] x i64{0}", "--case",
                                        "onnx-tile-13 u8[2] x i64{2}"};
};

TEST_F(WaivedRuns, PassWithTheirCountOnTheVerdictLine) {
  write("ONNX-T13-O2 u8 shape \"known\" owner: me link: none until: 9999-12-31\n");
  auto words = cases_;
  words.insert(words.end(), {"--waivers", folder_, "--verbose"});
  const ProgramRun run = certify(words);
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_NE(run.out.find("PARTIAL (the plan was filtered; 1 waived"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("1 in " + folder_ + "/M09.waivers"), std::string::npos) << run.out;
}

TEST_F(WaivedRuns, FailWhereAWaiverHasExpiredOrItsCasePasses) {
  write("ONNX-T13-O2 u8 shape \"known\" owner: me link: none until: 2020-01-01\n");
  auto words = cases_;
  words.insert(words.end(), {"--waivers", folder_});
  EXPECT_EQ(certify(words).exit_code, 1);
  write(
      "'onnx-tile-13 u8[2] x i64{2}' shape \"known\" owner: me link: none until: 9999-12-31\n"
      "ONNX-T13-O2 u8 shape \"known\" owner: me link: none until: 9999-12-31\n");
  const ProgramRun run = certify(words);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("waivers that are not needed any more\n\n  onnx-tile-13 u8[2] x i64{2}: it passes"),
            std::string::npos)
      << run.out;
}

TEST_F(WaivedRuns, AskAWaivedCaseThatTheTierLeavesOut) {
  const std::string elsewhere = "onnx-tile-13 u8[4321] x i64{0}";
  write("'" + elsewhere + "' shape \"known\" owner: me link: none until: 9999-12-31\n");
  const std::string records = folder_ + "/records";
  certify({"--tier", "smoke", "--definition", "onnx-tile-13", "--budget", "300", "--waivers", folder_,
           "--records", records});
  const std::string text = file_content(records);
  const std::size_t line = text.find("\"case\":\"" + elsewhere + "\"");
  ASSERT_NE(line, std::string::npos);
  EXPECT_NE(text.substr(line, text.find('\n', line) - line).find(R"("by":"waiver","verdict":"waived")"),
            std::string::npos);
}

TEST_F(WaivedRuns, AreProposedAndHoldOnceTheyAreFilledIn) {
  const std::string file = folder_ + "/new/proposal";
  auto words = cases_;
  words.insert(words.end(), {"--write-waivers", file});
  EXPECT_EQ(certify(words).exit_code, 1) << "proposed waivers do not apply to the run that proposes them";
  std::string proposed = file_content(file);
  EXPECT_NE(proposed.find(
                "'onnx-tile-13 u8[2] x i64{0}' shape \"inferred u8[2], expected u8[0]\" owner: ? link: ?"),
            std::string::npos)
      << proposed;
  words = cases_;
  words.insert(words.end(), {"--waivers", file});
  EXPECT_EQ(certify(words).exit_code, 2) << "the fields have not been filled in";
  for (const char* field : {"owner: ?", "link: ?"})
    proposed.replace(proposed.find(field) + std::string(field).size() - 1, 1, "none");
  std::ofstream(file) << proposed;
  EXPECT_EQ(certify(words).exit_code, 0);
}

TEST_F(WaivedRuns, DoNotWriteOverAFileThatWasNotRead) {
  const std::string file = write("# mine\n");
  auto words = cases_;
  words.insert(words.end(), {"--write-waivers", file});
  const ProgramRun run = certify(words);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.error.substr(run.error.find("certile: ")),
            "certile: " + file + " exists; to overwrite it, name it with --waivers as well\n");
  EXPECT_EQ(file_content(file), "# mine\n");
}

TEST_F(WaivedRuns, SayWhatIsWrongBeforeAnythingIsRun) {
  const std::string file = write("OV-T1-X4 f16 bogus\n");
  EXPECT_EQ(certify({"--waivers", folder_}).error, "certile: " + file + ":1: 'bogus' is not a fault\n");
  EXPECT_EQ(certify({"--waivers", folder_ + "/gone"}).error,
            "certile: cannot read the waivers in " + folder_ + "/gone: No such file or directory\n");
  const ProgramRun run = certify({"--waivers", folder_, "--fail-fast"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.error,
            "certile: --fail-fast would stop at failures that --waivers accepts; give one of the two\n");
}

}  // namespace
}  // namespace certile::conformance
