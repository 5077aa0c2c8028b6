#include <string>
#include <utility>

#include "conformance/proof/self_test/score.hpp"
#include "conformance/report/junit_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// Adds a test that passes with these words, or fails with them.
void add(JunitSuite& suite, const char* group, const std::string& name, bool is_good,
         const std::string& words) {
  pugi::xml_node test = suite.test(group, name);
  const std::string text = printable_lines(words);
  if (is_good)
    test.append_child("system-out").append_child(pugi::node_pcdata).set_value(text.c_str());
  else
    suite.fail(test, group, text);
}

template <class Row>
std::string named(const Row& row) {
  return std::string(row.id) + " " + std::string(row.name);
}

void add_trials(JunitSuite& suite, const char* group, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) {
    const bool is_killed = trial.end == Trial::End::killed;
    std::string name(trial.mutant->id);
    name += " " + std::string(certile::name(trial.definition));
    if (!trial.door.empty()) name += " " + std::string(trial.door);
    std::string words = "expected: " + what_was_expected(trial);
    if (!is_killed)
      words += "; " + what_happened(trial);
    else if (!trial.failure.literal.empty())
      words += "\n" + std::string(certile::conformance::name(trial.failure.now().fault)) + " " +
               trial.failure.literal;
    add(suite, group, name, is_killed, words);
  }
}

}  // namespace

Result<Done> write_score_junit(const std::string& path, const SelfTest& result, Tier tier) {
  JunitFile file("certile");
  JunitSuite suite = file.add_suite("self-test " + std::string(name(tier)), "certile.self-test");
  if (!result.right_one_verdict.empty())
    add(suite, "right", "M00", result.right_one_passes, result.right_one_verdict);
  add_trials(suite, "mutants", result.trials);
  add_trials(suite, "workers", result.worker_trials);
  for (const Exposure& each : result.exposures)
    add(suite, "liars", named(*each.liar), each.exposed, each.verdict);
  for (const Acquittal& each : result.acquittals)
    add(suite, "odd", named(*each.odd), each.passes, each.verdict);
  for (const Survival& each : result.survivals)
    add(suite, "hostile", named(*each.hostile), each.survived, each.why);
  for (const Mutant* mutant : result.later)
    suite.skip(suite.test("mutants", std::string(mutant->id)),
               "needs the tier " + std::string(name(mutant->tier)));
  if (!result.has_python)
    suite.error(suite.test("workers", "python3"), "the workers were not tried: there is no python3");
  if (!result.complete) suite.error(suite.test("self-test", "complete"), "it was interrupted");
  return file.write(path);
}

}  // namespace certile::conformance
