// Tests of altered records.  The alterations also adapt the footer's counts and digest.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/records/record_json.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/mutants_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "conformance/testing/quick_runs_test.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

// A run of a few hundred cases, for alterations that show in any run.
const Words a_run{"scalar", "--tier", "smoke", "--definition", "onnx-tile-13", "--budget", "300"};

// Returns the records of such a run, which is made once.
const std::string& records_of_certify(const Words& asked) {
  static std::map<Words, std::string> made;
  const auto [place, is_new] = made.try_emplace(asked);
  if (!is_new) return place->second;
  Words words = asked;
  const std::string path = temporary_path("made.jsonl");
  words.insert(words.begin(), "certify");
  words.insert(words.end(), {"--records", path});
  const ProgramRun run = run_program(words);
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << run.error;
  return place->second = file_content(path);
}

ProgramRun verify(const std::string& text) {
  const std::string path = temporary_path("verified.jsonl");
  std::ofstream(path) << text;
  return run_program({"verify", path});
}

std::vector<Json> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::vector<Json> parsed;
  for (std::string line; std::getline(lines, line);)
    parsed.push_back(Json::parse(line));
  return parsed;
}

// Returns the lines as text, after setting the footer's counts and digest to match them.
std::string sealed(std::vector<Json> lines) {
  Json& footer = lines.back().at("footer");
  for (auto& count : footer.at("verdicts"))
    count = 0;
  footer["records"] = lines.size() - 2;
  footer["vacuous"] = 0;
  std::string text = dumped(lines.front()) + "\n";
  for (std::size_t index = 1; index + 1 < lines.size(); ++index) {
    const Json& record = lines[index];
    const Json& last = record.contains("amended") ? record.at("amended").back() : record;
    Json& count = footer.at("verdicts").at(last.at("verdict").get<std::string>());
    count = count.get<int>() + 1;
    if (record.contains("vacuous")) footer["vacuous"] = footer.at("vacuous").get<int>() + 1;
    text += dumped(record) + "\n";
  }
  footer["sha256"] = sha256_hex(text);
  return text + dumped(lines.back()) + "\n";
}

// Returns the checks that do not hold after the alteration.
std::string wrong_after(const std::function<void(std::vector<Json>&)>& alter, const Words& words = a_run) {
  std::vector<Json> lines = lines_of(records_of_certify(words));
  alter(lines);
  const ProgramRun run = verify(sealed(std::move(lines)));
  EXPECT_EQ(run.exit_code, 1) << run.out << run.error;
  EXPECT_TRUE(run.out.ends_with("NOT VERIFIED\n")) << run.out;
  std::istringstream out(run.out);
  std::string wrong;
  for (std::string line; std::getline(out, line);)
    if (line.starts_with("  WRONG  ")) wrong += line.substr(9) + "\n";
  return wrong;
}

std::string replaced_in(std::string text, const std::string& before, const std::string& after) {
  return text.replace(text.find(before), before.size(), after);
}

Json& first_with(std::vector<Json>& lines, const std::string& verdict) {
  for (Json& line : lines)
    if (line.contains("verdict") && line.at("verdict") == verdict) return line;
  ADD_FAILURE() << "no record is " << verdict;
  return lines.front();
}

void expect_verified(const std::string& text) {
  const ProgramRun run = verify(text);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_TRUE(run.out.ends_with("VERIFIED\n")) << run.out;
}

TEST(Verify, HoldsForAPassingAFailingAndAFilteredRun) {
  expect_verified(records_of_certify(quick_run));
  expect_verified(records_of_certify(quick_failing_run));
  expect_verified(records_of_certify(
      {"scalar", zero_as_one, "--tier", "smoke", "--clause", "ONNX-T13-X2", "--budget", "300"}));
}

TEST(Verify, HoldsForAWaivedRun) {
  const std::string waivers = temporary_path(".waivers");
  std::ofstream(waivers) << "ONNX-T13-O2 u8 shape \"known\" owner: me link: none until: 9999-12-31\n"
                            "'onnx-tile-13 u8[4321] x i64{2}' shape \"mended\" owner: me link: none until: "
                            "9999-12-31\n";
  expect_verified(records_of_certify({zero_as_one, "--tier", "smoke", "--definition", "onnx-tile-13",
                                      "--budget", "300", "--waivers", waivers}));
}

TEST(Verify, HoldsForWhatIsStoppedClosesBadlyOrIsAskedOverAPipe) {
  expect_verified(
      records_of_certify({test_plugin("crash_on_repeat_three"), "--tier", "smoke", "--budget", "300"}));
  expect_verified(
      records_of_certify({"scalar", zero_as_one, "--tier", "smoke", "--budget", "300", "--fail-fast"}));
  expect_verified(records_of_certify({"worker:" CERTILE_PYTHON " " CERTILE_WORKERS "/example.py", "--tier",
                                      "smoke", "--definition", "onnx-tile-13", "--budget", "300"}));
}

TEST(Verify, SaysOfEachThingOneSentence) {
  const ProgramRun run = verify(records_of_certify({"scalar", "--case", "onnx-tile-13 u8[3] x i64{2}"}));
  EXPECT_EQ(
      run.out.substr(run.out.find('\n')),
      "\n  holds  file         the footer counts the verdicts of 1 record, and has the SHA-256 of the lines\n"
      "  holds  pages        the pages and clauses are those of this certile\n"
      "  holds  plan         tier, seed, corpora and claim give the 1 case of the header\n"
      "  holds  cases        every record is of one planned case, in its canonical form\n"
      "  holds  verdicts     every verdict fits what both oracles expect: an answer, a refusal, or nothing "
      "decided\n"
      "  holds  clauses      every record names the clauses that its case exercises\n"
      "  holds  conformance  the records come to PARTIAL (the plan was filtered)\n"
      "VERIFIED\n");
}

TEST(Verify, FindsAChangedVerdict) {
  EXPECT_EQ(
      wrong_after([](auto& lines) { first_with(lines, "pass")["verdict"] = "inconclusive"; }).substr(0, 64),
      "verdicts     inconclusive, although the texts decide the case: o");
}

TEST(Verify, FindsAFailureTurnedIntoAPass) {
  const std::string wrong = wrong_after(
      [](auto& lines) {
        for (Json& line : lines)
          if (line.contains("verdict")) {
            line["verdict"] = "pass";
            for (const char* key : {"fault", "violated", "explanation", "amended"})
              line.erase(key);
          }
      },
      quick_failing_run);
  EXPECT_NE(wrong.find("conformance  the records come to CONFORMANT (full"), std::string::npos) << wrong;
}

TEST(Verify, FindsAFailureThatItsOutputDoesNotShow) {
  const std::string transposes = CERTILE_MUTANTS "/M01.so";
  const auto alter_output = [](const std::string& output) {
    return [output](std::vector<Json>& lines) {
      EXPECT_EQ(lines[1].at("output"), "u8{1,1,2,2}");
      lines[1]["output"] = output;
    };
  };
  const Words words{transposes, "--case", "openvino-tile-1 u8{1,2} x i64{2}"};
  expect_verified(records_of_certify(words));
  for (const char* other : {"u8{1,2,1,2}", "u8{2,1,2,1}"})
    EXPECT_EQ(
        wrong_after(alter_output(other), words),
        "verdicts     a failure that its recorded output does not show: openvino-tile-1 u8{1,2} x i64{2}\n");
}

TEST(Verify, FindsARemovedRecord) {
  EXPECT_EQ(wrong_after([](auto& lines) { lines.erase(lines.begin() + 1); }).substr(0, 39),
            "cases        no record for 1 planned ca");
}

TEST(Verify, FindsARecordPutInTwice) {
  EXPECT_NE(wrong_after([](auto& lines) {
              lines.insert(lines.begin() + 1, lines[1]);
            }).find("recorded twice: onnx"),
            std::string::npos);
}

TEST(Verify, FindsAChangedCount) {
  std::vector<Json> lines = lines_of(records_of_certify(a_run));
  Json& count = lines.back().at("footer").at("verdicts").at("pass");
  count = count.get<int>() + 1;
  std::string text;
  for (const Json& line : lines)
    text += dumped(line) + "\n";
  const ProgramRun run = verify(text);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("  WRONG  file         the footer's counts are wrong"), std::string::npos)
      << run.out;
}

TEST(Verify, FindsAChangedLineByItsDigest) {
  std::string text = records_of_certify(a_run);
  text.replace(text.find("\"planned\":"), 10, "\"planned\": ");
  const ProgramRun run = verify(text);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("  WRONG  file         the footer's SHA-256 is not that of the lines"),
            std::string::npos)
      << run.out;
}

TEST(Verify, FindsTheHeaderOfAnotherRun) {
  const Json foreign = lines_of(records_of_certify({"scalar", "--tier", "smoke", "--definition",
                                                    "onnx-tile-6", "--budget", "300"}))
                           .front();
  const std::string wrong = wrong_after([&foreign](auto& lines) { lines.front() = foreign; });
  EXPECT_NE(wrong.find("cases        not in the plan: onnx-tile-13"), std::string::npos) << wrong;
  const std::string more = wrong_after([](auto& lines) { lines.front().at("header")["random_cases"] = 5; });
  EXPECT_EQ(more.substr(0, 62), "plan         tier, seed, corpora and claim give another plan, ") << more;
}

TEST(Verify, FindsOtherPages) {
  EXPECT_EQ(wrong_after([](auto& lines) {
              lines.front().at("header").at("pages")[0]["sha256"] = std::string(64, '0');
              lines.front().at("header").at("clauses")[0]["kind"] = "ours";
            }),
            "pages        the pages are not those of this certile, and 1 more\n");
}

TEST(Verify, FindsAClauseThatItsCaseDoesNotExercise) {
  EXPECT_EQ(wrong_after([](auto& lines) { lines[1]["exercised"].push_back("CT-REFUSE"); }).substr(0, 70),
            "clauses      the record names other clauses than its case exercises: o");
}

TEST(Verify, CannotReadARunThatWasCutShort) {
  const std::string text = records_of_certify(a_run);
  const ProgramRun run = verify(text.substr(0, text.find("{\"footer\"")));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.error.find("without a footer: this run was cut short"), std::string::npos) << run.error;
}

// A pipe shows its second reader other records than its first one.
TEST(Verify, ReplaysTheRecordsThatItVerified) {
  const std::string pipe = temporary_path("pipe.jsonl");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  StartedProgram verifying({CERTILE_PROGRAM, "verify", pipe, "--replay", "scalar", "--replay-seed", "1"});
  std::ofstream(pipe) << records_of_certify(a_run);
  const ProgramRun run = verifying.wait();
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_TRUE(run.out.ends_with("VERIFIED\n")) << run.out;
}

TEST(Verify, StopsAtAThousandWrongRecords) {
  const std::string& text = records_of_certify(a_run);
  const std::string header = text.substr(0, text.find('\n') + 1);
  const std::size_t start = header.size(), end = text.find('\n', start) + 1;
  std::string many = header;
  for (int count = 0; count < 20'000; ++count)
    many += text.substr(start, end - start);
  const ProgramRun run = verify(many + text.substr(text.rfind("{\"footer\"")));
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_NE(run.out.find("  WRONG  file         not checked to its end, because 1,000 records are wrong\n"),
            std::string::npos)
      << run.out;
}

TEST(Verify, AndOtherReadersRejectJsonThatIsNestedDeeply) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string records = replaced_in(records_of_certify(a_run), R"("seed":1)", R"("seed":)" + deep);
  const std::string path = written_file("deep.jsonl", records);
  for (const Words& command : {Words{"verify", path}, Words{"report", path}, Words{"diff", path, path}}) {
    const ProgramRun run = run_program(command);
    EXPECT_EQ(run.exit_code, 2) << command.front() << run.out;
    EXPECT_NE(run.error.find("deep.jsonl:1: not a JSON object"), std::string::npos) << run.error;
  }
  const std::string statement = written_file("deep.json", R"({"_type":)" + deep + "}");
  EXPECT_EQ(run_program({"verify", statement}).exit_code, 2);
  EXPECT_EQ(run_program({"sign", statement, "--key", "none", "--output", "none"}).exit_code, 2);
}

TEST(Verify, AndReportRejectARunThatWasCutInItsHeader) {
  const std::string& text = records_of_certify(a_run);
  const std::string path = written_file("cut.jsonl", text + text.substr(0, 500));
  for (const char* command : {"verify", "report"}) {
    const ProgramRun run = run_program({command, path});
    EXPECT_EQ(run.exit_code, 2) << command << run.out;
    EXPECT_NE(run.error.find("the line has no newline: the file was cut short"), std::string::npos)
        << run.error;
  }
}

// The digest of such a worker would be that of its command, whatever the folder has.
TEST(Verify, DoesNotHoldForAWorkerWhoseFilesAreNotKnown) {
  const std::string worker = "worker:cd '" CERTILE_WORKERS "' && exec '" CERTILE_PYTHON "' example.py";
  const std::string records =
      records_of_certify({worker, "--case", "openvino-tile-1 f32[2] x i64{2}", "--jobs", "1"});
  const ProgramRun run =
      run_program({"verify", written_file("known.jsonl", records), "--replay", worker, "--replay-seed", "1"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.error;
  EXPECT_NE(run.out.find("  WRONG  binary       it is not known which files worker:cd "), std::string::npos)
      << run.out;
}

}  // namespace
}  // namespace certile::conformance
