#include "conformance/proof/self_test/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "conformance/report/junit_file.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {

namespace {

struct Tally {
  int killed = 0, total = 0;
};

std::string first_line(const std::string& text) {
  return printable(text.substr(0, text.find('\n')));
}

bool is_killed(const Trial& trial) {
  return trial.end == Trial::End::killed;
}

bool was_not_tried(const Trial& trial) {
  return trial.end == Trial::End::broken && trial.why.empty();
}

// Counts a mutant as killed if every definition that it gets wrong catches it.
Tally tally_of_mutants(const SelfTest& result) {
  std::map<std::string_view, bool> killed;
  for (const Trial& trial : result.trials) {
    auto& all = killed.try_emplace(trial.mutant->id, true).first->second;
    all = all && is_killed(trial);
  }
  Tally tally{0, static_cast<int>(killed.size())};
  for (const auto& [id, all] : killed)
    tally.killed += all ? 1 : 0;
  return tally;
}

// Writes the clauses in the order of the pages.
void write_clauses(std::ostream& out, const SelfTest& result) {
  std::map<std::string_view, Tally> tallies;
  for (const Trial& trial : result.trials) {
    Tally& tally = tallies[clause_of(*trial.mutant, trial.definition)];
    ++tally.total;
    tally.killed += is_killed(trial) ? 1 : 0;
  }
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses) {
      const auto found = tallies.find(clause.id);
      if (found == tallies.end()) continue;
      const Tally& tally = found->second;
      out << fmt::format("  {:12} {:30} {:3} of {:3} killed{}\n", clause.id, clause.name, tally.killed,
                         tally.total, tally.killed == tally.total ? "" : "   <--");
    }
}

void write_survivors(std::ostream& out, const SelfTest& result, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) {
    if (is_killed(trial) || (!result.complete && was_not_tried(trial))) continue;
    out << fmt::format("NOT KILLED  {} {}, {}{}{}: {}\n      expected: {}; {}\n", trial.mutant->id,
                       trial.mutant->name, name(trial.definition), trial.inference.empty() ? "" : ", ",
                       trial.inference, trial.mutant->words, what_was_expected(trial), what_happened(trial));
  }
}

void write_liars(std::ostream& out, const SelfTest& result) {
  for (const Exposure& exposure : result.exposures)
    if (result.complete || !exposure.verdict.empty())
      out << fmt::format("  {} {:5} {:30} {}\n", exposure.exposed ? "exposed    " : "NOT EXPOSED",
                         exposure.liar->id, exposure.liar->name, first_line(exposure.verdict));
}

// Writes the odd ones that were accused, with the verdict.
void write_accused(std::ostream& out, const SelfTest& result) {
  for (const Acquittal& acquittal : result.acquittals)
    if (!acquittal.passes && (result.complete || !acquittal.verdict.empty()))
      out << fmt::format("ACCUSED  {} {}, which is right: {}\n      {}\n", acquittal.odd->id,
                         acquittal.odd->name, acquittal.odd->words, first_line(acquittal.verdict));
}

// Writes the hostile plugins that were not survived, with the differences from their rows.
void write_hostile(std::ostream& out, const SelfTest& result) {
  for (const Survival& survival : result.survivals)
    if (!survival.survived && (result.complete || !survival.why.empty()))
      out << fmt::format("NOT SURVIVED  {} {}: {}\n      {}\n", survival.hostile->id, survival.hostile->name,
                         survival.hostile->words, first_line(survival.why));
}

// Writes how many of the same mutants the public suites would have caught.
void write_baselines(std::ostream& out, const SelfTest& result) {
  if (result.baselines.empty()) return;
  out << "  public suites' cases:";
  for (const Baseline& baseline : result.baselines)
    out << fmt::format("   {} ({}) {} of {}", baseline.suite, baseline.cases, baseline.killed,
                       baseline.total);
  out << '\n';
}

// Returns "OV-T1-X4", or "OV-T1-X4/CT-BOUNDS" if another clause breaks the level text.
std::string clauses_of(const Mutant& mutant, DefinitionId definition) {
  const std::string_view clause = clause_of(mutant, definition), at_text = text_clause_of(mutant, definition);
  const bool differs = !at_text.empty() && at_text != clause;
  return std::string(clause) + (differs ? "/" + std::string(at_text) : "");
}

constexpr std::string_view heading_of_roster = R"(# Mutants, liars, hostile plugins

Implementations of Tile that are wrong on purpose, most of them in a way that a real one was. `certile self-test`
judges each as it does anyone's, at both levels; a mutant is killed when its smallest failing case is charged to its
clause, with every operator that it gets wrong, and the level *text* holds where that clause counts at the level
*full* alone. Of two clauses the second is the one that breaks the text. This page is what `certile self-test --list`
prints.

)";

}  // namespace

std::string what_happened(const Trial& trial) {
  switch (trial.end) {
    case Trial::End::killed:
      break;
    case Trial::End::elsewhere:
      return "its first failure is charged to " + std::string(trial.failure.now().charged) + ": " +
             trial.failure.literal + "\n      " + first_line(trial.failure.now().words);
    case Trial::End::at_text:
      return trial.text_clause.empty() ? "the level text holds"
                                       : "the level text is broken by " + trial.text_clause;
    case Trial::End::survived:
      return "it passes";
    case Trial::End::broken:
      return was_not_tried(trial) ? "it was not tried" : "it could not be tried: " + first_line(trial.why);
  }
  return {};
}

std::string what_was_expected(const Trial& trial) {
  const std::string_view clause = clause_of(*trial.mutant, trial.definition);
  const std::string_view at_text = text_clause_of(*trial.mutant, trial.definition);
  if (clause.empty()) return "a pass";
  if (clause == at_text) return std::string(clause);
  return std::string(clause) + ", and the level text " +
         (at_text.empty() ? "unbroken" : "broken by " + std::string(at_text));
}

void write_score(std::ostream& out, const SelfTest& result, Tier tier) {
  const Tally mutants = tally_of_mutants(result);
  const auto exposed = std::ranges::count_if(result.exposures, &Exposure::exposed);
  const auto killed = std::ranges::count_if(result.trials, is_killed);
  out << "mutants, by the clause that has to catch them\n";
  write_clauses(out, result);
  if (!result.exposures.empty()) out << "liars\n";
  write_liars(out, result);
  write_survivors(out, result, result.trials);
  write_survivors(out, result, result.worker_trials);
  write_accused(out, result);
  write_hostile(out, result);
  if (!result.later.empty()) {
    std::map<Tier, std::int64_t> later;
    for (const Mutant* mutant : result.later)
      ++later[mutant->tier];
    out << "need a longer tier: " << counted(std::ssize(result.later), "mutant") << " (";
    for (const auto& [needed, count] : later)
      out << (needed == later.begin()->first ? "" : ", ") << count << ' ' << name(needed);
    out << "), which certile self-test --list shows\n";
  }
  for (const Mutant* mutant : result.elsewhere)
    out << "needs a second processor: " << mutant->id << '\n';
  if (!result.right_one_passes)
    out << "THE RIGHT ONE FAILS  M00: " << first_line(result.right_one_verdict) << '\n';
  if (!result.complete) out << "it was interrupted: what is missing above was not tried\n";
  const auto acquitted = std::ranges::count_if(result.acquittals, &Acquittal::passes);
  const auto survived = std::ranges::count_if(result.survivals, &Survival::survived);
  const int all = mutants.total + static_cast<int>(result.later.size() + result.elsewhere.size());
  out << fmt::format("self-test  {}   {}\n", name(tier),
                     result.is_good() ? "AS IT MUST BE" : "NOT AS IT MUST BE")
      << fmt::format("  {} of {} mutants killed ({:.1f} %; {} of {} with each operator)", mutants.killed, all,
                     all == 0 ? 100.0 : 100.0 * mutants.killed / all, killed, result.trials.size())
      << fmt::format("   {} of {} workers as expected",
                     std::ranges::count_if(result.worker_trials, is_killed), result.worker_trials.size())
      << fmt::format(
             "   {} of {} liars exposed   {} of {} odd acquitted   {} of {} hostile survived   {:.1f} s\n",
             exposed, result.exposures.size(), acquitted, result.acquittals.size(), survived,
             result.survivals.size(), result.seconds);
  if (!result.has_python) out << "  the workers were not tried: there is no python3\n";
  write_baselines(out, result);
}

void write_roster(std::ostream& out) {
  out << heading_of_roster;
  out << "| mutant | what it does | tier | must be caught by |\n|---|---|---|---|\n";
  for (const Mutant& mutant : all_mutants())
    out << fmt::format("| {} | {} | {} | {} |\n", mutant.id, mutant.words, name(mutant.tier), [&] {
      std::string clauses;
      std::set<std::string> named;
      for (const DefinitionId definition : definitions_of(mutant))
        if (const auto clause = clauses_of(mutant, definition); named.insert(clause).second)
          clauses += (clauses.empty() ? "" : ", ") + clause;
      return clauses;
    }());
  out << "\nWorkers are asked with and without shape inference, and must get the same clause.\n\n";
  out << "| worker | what it does | must be caught by |\n|---|---|---|\n";
  for (const WrongWorker& worker : all_wrong_workers()) {
    std::string clauses;
    for (const DefinitionId definition : definitions_of(worker))
      if (const auto clause = clauses_of(worker, definition); !clause.empty())
        clauses += (clauses.empty() ? "" : ", ") + clause;
    out << fmt::format("| {} | {} | {} |\n", worker.id, worker.words,
                       clauses.empty() ? "nothing: it passes" : clauses);
  }
  out << "\nLiars do not compute Tile, and would like a certificate all the same.\n\n";
  out << "| liar | what it does | must end |\n|---|---|---|\n";
  for (const Liar& liar : all_liars())
    out << fmt::format("| {} | {} | {} |\n", liar.id, liar.words,
                       liar.exposed == Liar::Exposed::failing  ? "not conformant"
                       : liar.exposed == Liar::Exposed::little ? "with its small claim in the verdict line"
                                                               : "without being loaded");
  out << "\nThe odd ones are right, in a way that few kernels are, and must pass.\n\n";
  out << "| odd | what it does |\n|---|---|\n";
  for (const Odd& odd : all_odd())
    out << fmt::format("| {} | {} |\n", odd.id, odd.words);
  out << "\nHostile plugins are right except for one thing, which must not affect any other case.\n\n";
  out << "| hostile | what it does |\n|---|---|\n";
  for (const Hostile& hostile : all_hostile())
    out << fmt::format("| {} | {} |\n", hostile.id, hostile.words);
  out << "\nSome wrong behaviours no mutant shows.\n\n";
  out << "| out of reach | what it would do | why |\n|---|---|---|\n";
  for (const OutOfReach& row : out_of_reach())
    out << fmt::format("| {} | {} | {} |\n", row.id, row.words, row.reason);
}

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
    if (!trial.inference.empty()) name += " " + std::string(trial.inference);
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
