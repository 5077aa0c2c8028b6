// Tests what the self-test writes of its result, and the result of the whole smoke tier, which one run of the
// program wrote for all tests: build/PRESET/self-test.xml.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "conformance/proof/self_test/score.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

// The tests of a file: what a test that passes says, or that it failed, by group and name.
using Tests = std::map<std::string, std::string>;

Tests tests_in(const std::string& path) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file(path.c_str()))
      << path << " is written by the test 'self-test: smoke is as it must be'";
  Tests tests;
  for (const pugi::xml_node test : document.child("testsuites").child("testsuite").children("testcase")) {
    const std::string group = std::string(test.attribute("classname").value()).substr(18);
    std::string words = test.child_value("system-out");
    for (const char* element : {"failure", "error", "skipped"})
      if (const pugi::xml_node found = test.child(element))
        words = std::string(element) + ": " +
                (found.text() ? found.child_value() : found.attribute("message").value());
    EXPECT_TRUE(tests.emplace(group + " " + test.attribute("name").value(), words).second);
  }
  return tests;
}

TEST(SelfTestJunit, SaysWhatIsAsItMustBeAndWhatIsNot) {
  SelfTest result;
  result.right_one_passes = true;
  result.right_one_verdict = "CONFORMANT";
  const Mutant& mutant = all_mutants().front();
  for (const Trial::End end : {Trial::End::killed, Trial::End::survived}) {
    Trial trial;
    trial.mutant = &mutant;
    trial.definition = end == Trial::End::killed ? openvino_tile_1 : onnx_tile_13;
    trial.end = end;
    trial.failure.literal = "openvino-tile-1 u8[2] x i64{2}";
    trial.failure.judged.fault = Fault::elements;
    result.trials.push_back(trial);
  }
  result.later = {&all_mutants().back()};
  result.exposures = {{&all_liars().front(), false, "CONFORMANT (full)"}};
  result.acquittals = {{&all_odd().front(), false, "NOT \x1b CONFORMANT"}};
  result.survivals = {{&all_hostile().front(), false, "it was loaded"}};
  result.has_python = result.complete = false;
  const std::string path = temporary_path(".xml");
  ASSERT_TRUE(write_score_junit(path, result, Tier::smoke));
  const std::string id(mutant.id), clause(clause_of(mutant, onnx_tile_13));
  const Tests expected{
      {"right M00", "CONFORMANT"},
      {"mutants " + id + " openvino-tile-1", "expected: " + std::string(clause_of(mutant, openvino_tile_1)) +
                                                 "\nelements openvino-tile-1 u8[2] x i64{2}"},
      {"mutants " + id + " onnx-tile-13", "failure: expected: " + clause + "; it passes"},
      {"mutants " + std::string(all_mutants().back().id),
       "skipped: needs the tier " + std::string(name(all_mutants().back().tier))},
      {"liars L01 refuses_everything", "failure: CONFORMANT (full)"},
      {"odd O01 scratch_from_a_pool", "failure: NOT \\x1b CONFORMANT"},
      {"hostile H01 writes_nowhere", "failure: it was loaded"},
      {"workers python3", "error: the workers were not tried: there is no python3"},
      {"self-test complete", "error: it was interrupted"},
  };
  EXPECT_EQ(tests_in(path), expected);
}

TEST(SelfTestJunit, IsWrittenByTheCommandOrItSaysWhyNot) {
  const std::string path = temporary_path(".xml");
  const ProgramRun run = run_program({"self-test", "H103", "--junit", path});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_NE(tests_in(path).at("hostile H103 has_no_run").find("run is missing"), std::string::npos);
  const ProgramRun nowhere = run_program({"self-test", "H103", "--junit", path + "/none"});
  EXPECT_EQ(nowhere.exit_code, 2) << nowhere.out;
  EXPECT_TRUE(nowhere.error.starts_with("certile: ")) << nowhere.error;
}

// Returns the tests of the smoke tier, each with a part of what it has to say.
Tests due() {
  Tests tests{{"right M00", "CONFORMANT (full"}};
  const auto add = [&tests](const char* group, const auto& row, const std::string& more,
                            std::string_view words) {
    tests.emplace(std::string(group) + " " + std::string(row.id) + " " + more, words);
  };
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.tier > Tier::smoke)
      tests.emplace("mutants " + std::string(mutant.id),
                    "skipped: needs the tier " + std::string(name(mutant.tier)));
    else
      for (const DefinitionId definition : definitions_of(mutant))
        add("mutants", mutant, std::string(name(definition)),
            "expected: " + std::string(clause_of(mutant, definition)));
  }
  for (const WrongWorker& worker : all_wrong_workers())
    for (const char* inference : {" with inference", " without inference"})
      for (const DefinitionId definition : definitions_of(worker))
        if (worker.inference == WrongWorker::Inference::both ||
            inference == std::string_view(" with inference"))
          add("workers", worker, std::string(name(definition)) + inference,
              "expected: " + std::string(clause_of(worker, definition)));
  for (const Liar& liar : all_liars())
    add("liars", liar, std::string(liar.name), "");
  for (const Odd& odd : all_odd())
    add("odd", odd, std::string(odd.name), "CONFORMANT (full");
  for (const Hostile& hostile : all_hostile())
    add("hostile", hostile, std::string(hostile.name), hostile.fault.empty() ? hostile.says : hostile.fault);
  return tests;
}

TEST(SelfTestOfSmoke, JudgesEachAsItMustBeAndLeavesNoneOut) {
  if (is_slowed()) GTEST_SKIP() << "the self-test runs without sanitizers and emulators";
  Tests found = tests_in(CERTILE_MUTANTS "/../self-test.xml");
  for (const auto& [name, words] : due()) {
    const auto test = found.extract(name);
    ASSERT_TRUE(test) << name << " was not judged";
    EXPECT_FALSE(test.mapped().starts_with("failure: ")) << name << ": " << test.mapped();
    EXPECT_NE(test.mapped().find(words), std::string::npos) << name << ": " << test.mapped();
  }
  for (const auto& [name, words] : found)
    ADD_FAILURE() << name << " is in no table: " << words;
}

const std::string at_once = "in calls at once";

// Returns what failed first of each mutant, with the first definition that it gets wrong: "M01 elements
// CASE". Which concurrent calls fail is chance.
std::map<std::string, std::string> first_failures(const Tests& found) {
  std::map<std::string, std::string> failures;
  for (const Mutant& mutant : all_mutants()) {
    const DefinitionId definition = definitions_of(mutant).front();
    const std::string id(mutant.id), row = "mutants " + id + " " + std::string(name(definition));
    if (has_role(clause_id(clause_of(mutant, definition)), Role::threads) || !found.contains(row)) continue;
    const std::string& words = found.at(row);
    const bool is_chance = words.find("@threads=") != std::string::npos;
    failures.emplace(id, is_chance ? at_once : words.substr(words.find('\n') + 1));
  }
  return failures;
}

// A change of certile that moves no judgement leaves every line of first_failures.txt.
TEST(SelfTestOfSmoke, FindsEachMutantByTheCaseOfBefore) {
  if (is_slowed()) GTEST_SKIP() << "the self-test runs without sanitizers and emulators";
  auto now = first_failures(tests_in(CERTILE_MUTANTS "/../self-test.xml"));
  const std::string path = CERTILE_SOURCES "/conformance/proof/self_test/first_failures.txt";
  std::map<std::string, std::string> before;
  std::ifstream lines(path);
  for (std::string id, words; lines >> id && std::getline(lines >> std::ws, words);)
    before.emplace(id, words);
  // A mutant that counts its calls may also fail in a later call: how many are made at once is chance.
  for (auto& [id, words] : now)
    if (const auto known = before.find(id); known != before.end() && known->second == at_once)
      words = at_once;
  if (std::getenv("CERTILE_WRITE_GOLDEN") != nullptr) {
    std::ofstream file(path);
    for (const auto& [id, words] : now)
      file << id << ' ' << words << '\n';
    EXPECT_TRUE(file.flush()) << path << " cannot be written";
    before = now;
  }
  for (const auto& [id, words] : now)
    EXPECT_EQ(words, before[id]) << id << "; CERTILE_WRITE_GOLDEN=1 accepts it";
  EXPECT_EQ(now.size(), before.size());
}

}  // namespace
}  // namespace certile::conformance
