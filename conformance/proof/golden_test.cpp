#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/proof/self_test/roster.hpp"
#include "conformance/proof/self_test/trial.hpp"
#include "conformance/run/backend_start.hpp"
#include "conformance/run/run_plan.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/text/digest.hpp"

// Tests certile's judgement of implementations with known faults: golden.txt has a line for each, which
// changes with every verdict, fault or charged clause.  It proves that a change of code moves no judgement.
namespace certile::conformance {
namespace {

namespace files = std::filesystem;

struct Implementation {
  std::string name, spelling;
  Plans::Order order = Plans::Order::tier;
};

// Returns the implementations and their cases: right ones with all, and mutants that break different clauses
// with a part, because each failure is asked again. The self-test knows the first failure of every mutant.
// Concurrent calls are omitted, because their answers from a wrong implementation depend on chance.
std::vector<Implementation> implementations() {
  std::vector<Implementation> all{
      {"scalar", "scalar"},
      {"example.c", example_plugin("libexample")},
      {"example.py", "worker:exec '" CERTILE_PYTHON "' '" CERTILE_WORKERS "/example.py'"},
  };
  for (const char* id :
       {"M01", "M05", "M08", "M61", "M62", "M09", "M10",  "M12", "M17", "M75",  "M21",  "M25",
        "M81", "M84", "M28", "M97", "M42", "M44", "M106", "M49", "M56", "M136", "M149", "M177"})
    all.push_back({id, std::string(CERTILE_MUTANTS "/") + id + ".so", Plans::Order::for_text});
  return all;
}

struct GoldenLine {
  std::string line;   // of golden.txt, behind the name
  std::string cases;  // the digest of the plan, and a line for each case that does not pass
};

GoldenLine judgement_of(const Implementation& asked, Plans& plans) {
  RunOptions run;
  run.isolate = isolate_options(asked.spelling);
  const Started started = start_backend(run.isolate);
  if (!started.claim) return {started.failure->sentence, {}};
  run.known_answers = &plans.answers();
  const auto plan = plans.get(started, std::nullopt, asked.order);
  if (!plan) return {plan.error().what, {}};
  std::vector<std::string> lines;
  std::size_t failures = 0;
  const auto ran = run_plan(**plan, run, [&](const Record& record) {
    if (record.now().verdict == Verdict::pass) return Result<Done>(Done{});
    if (record.now().verdict == Verdict::fail) ++failures;
    lines.push_back(record.literal + "  # " + std::string(name(record.now().verdict)) + ' ' +
                    std::string(name(record.now().fault)) + ' ' + std::string(record.now().charged));
    return Result<Done>(Done{});
  });
  if (!ran) return {ran.error().what, {}};
  std::ranges::sort(lines);  // cases that crash often are asked last
  GoldenLine judgement;
  judgement.cases = "# plan " + (*plan)->digest + '\n';
  for (const std::string& line : lines)
    judgement.cases += line + '\n';
  judgement.line = "cases " + std::to_string((*plan)->cases.size()) + "  fail " + std::to_string(failures) +
                   "  sha256 " + sha256_hex(judgement.cases).substr(0, 16);
  return judgement;
}

std::vector<GoldenLine> judgements_of(const std::vector<Implementation>& all) {
  Plans plans(Tier::smoke);
  std::vector<GoldenLine> judgements(all.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t index = next++; index < all.size(); index = next++)
      judgements[index] = judgement_of(all[index], plans);
  };
  std::vector<std::jthread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (std::jthread& thread : threads)
    thread = std::jthread(work);
  threads.clear();
  return judgements;
}

const std::string golden = CERTILE_SOURCES "/conformance/proof/golden.txt";

// Returns the lines of golden.txt, by name.
std::map<std::string, std::string> expected_lines() {
  std::map<std::string, std::string> lines;
  std::ifstream file(golden);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t end = line.find(' ');
    lines[line.substr(0, end)] = line.substr(std::min(line.find_first_not_of(' ', end), line.size()));
  }
  return lines;
}

// Returns the path of the file with the cases behind a line, written by the last run that gave this line.
files::path cases_file(const std::string& name, const std::string& line) {
  return files::path(CERTILE_GOLDEN_CASES) / (name + '-' + line.substr(line.find_last_of(' ') + 1) + ".txt");
}

void write_golden(const std::vector<Implementation>& all, const std::vector<GoldenLine>& judgements) {
  std::ofstream file(golden);
  file << "# What certile says of each implementation, of its cases of the smoke tier: golden_test.cpp.\n"
          "# CERTILE_WRITE_GOLDEN=1 ctest --preset dev -R Golden writes it anew.\n";
  for (std::size_t index = 0; index < all.size(); ++index)
    file << all[index].name << std::string(12 - all[index].name.size(), ' ') << judgements[index].line
         << '\n';
  EXPECT_TRUE(file.flush()) << golden << " cannot be written";
}

TEST(Golden, EveryImplementationIsJudgedAsBefore) {
  if (!std::string_view(CERTILE_SANITIZE).empty()) GTEST_SKIP() << "sanitizers find what mutants do wrong";
  if (!emulator_words().empty()) GTEST_SKIP() << "an emulator has neither limits of memory nor the time";
  const auto all = implementations();
  const auto judgements = judgements_of(all);
  files::create_directories(CERTILE_GOLDEN_CASES);
  for (std::size_t index = 0; index < all.size(); ++index)
    if (!judgements[index].cases.empty())
      std::ofstream(cases_file(all[index].name, judgements[index].line)) << judgements[index].cases;
  if (std::getenv("CERTILE_WRITE_GOLDEN") != nullptr) write_golden(all, judgements);

  auto expected = expected_lines();
  for (std::size_t index = 0; index < all.size(); ++index) {
    const std::string& name = all[index].name;
    const std::string before = expected[name], &now = judgements[index].line;
    expected.erase(name);
    EXPECT_EQ(now, before) << "what moved in " << name << ":\n  diff '" << cases_file(name, before).string()
                           << "' '" << cases_file(name, now).string()
                           << "'\nThe first file is there once this test has passed in this build directory; "
                              "to accept the change, run it with CERTILE_WRITE_GOLDEN=1";
  }
  for (const auto& [name, line] : expected)
    ADD_FAILURE() << golden << " has " << name << ", which is not judged any more";
}

}  // namespace
}  // namespace certile::conformance
